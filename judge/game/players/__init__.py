"""Players of a game: joining, seats, standbys, diaries."""
