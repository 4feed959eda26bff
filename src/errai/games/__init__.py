"""Definitions, the rules of play, ACPC text, spots, exact sizes."""
