"""`judge archive`: recorded games, from whatever program or hand."""
