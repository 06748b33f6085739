"""Positions and recorded games in the formats of other programs."""
