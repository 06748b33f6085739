"""The rules of the game: pure functions from a position and orders to verdicts and the position after."""
