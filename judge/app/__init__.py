"""The use cases: each takes what came in, decides, and commits its whole answer at once."""
