"""What is on disk: arrays, flop files, the ledger, tables, logs."""
