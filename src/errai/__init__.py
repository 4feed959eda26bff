"""Errai: solve heads-up hold'em, and measure how far any strategy is from solved."""
