"""Orders of a game: submitted, stored for later phases, missing."""
