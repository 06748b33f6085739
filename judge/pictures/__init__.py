"""The board as a picture: an SVG of our own drawing, and the PNG of it."""
