"""Whole games from disk, on one machine or on a cluster."""
