"""The resolution of a movement phase (DATC chapter 5)."""
