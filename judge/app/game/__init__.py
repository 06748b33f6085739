"""One command to one game: decided, recorded, announced."""
