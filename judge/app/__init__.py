"""The use cases: each takes an input, decides, and commits all its effects in one transaction."""
