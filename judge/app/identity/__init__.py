"""The writer of an email, and what proves it."""
