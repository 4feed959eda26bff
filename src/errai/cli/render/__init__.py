"""How results look: tables and curves in the terminal, pictures in files. Nothing here computes a result."""
