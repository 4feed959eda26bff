"""Rates of this machine beside plainer forms of the same work, and a signature of the results."""
