"""The only thread and process pools, and the only Ray."""
