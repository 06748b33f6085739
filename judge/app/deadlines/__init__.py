"""Deadlines: the mail first, then the game and the clock decide."""
