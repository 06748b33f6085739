"""The use cases: each takes what came in, decides, and commits the whole answer in one transaction."""
