"""Extensive forms, betting trees, public trees, boards, and how their arrays are laid out."""
