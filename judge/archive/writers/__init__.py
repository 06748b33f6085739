"""One module a format: it writes records."""
