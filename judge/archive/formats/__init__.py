"""Formats of recorded games, one module each."""
