"""Strategies that can play: baselines, bots from Python files, solved strategies, translation of bet sizes."""
