"""What this machine does: rates beside plainer forms of the same work, and a signature of the results."""
