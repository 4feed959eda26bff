"""The judge: best responses, exploitability, statistics. It never imports a solver and never plays."""
