"""Deadlines: the email first, then the game and the clock decide."""
