"""Apply one command to one game: decide, record, announce."""
