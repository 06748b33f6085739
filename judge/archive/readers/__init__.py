"""One module a format: it recognizes its files, and reads them into records."""
