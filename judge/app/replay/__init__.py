"""Pages on which recorded games are replayed, joined from the record, the law and the pictures."""
