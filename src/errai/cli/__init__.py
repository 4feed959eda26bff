"""The command line: one module per command. Results go to stdout, everything else to stderr."""
