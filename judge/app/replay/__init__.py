"""Pages that replay recorded games: record, adjudication and pictures."""
