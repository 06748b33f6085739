"""What a reader is told: builders make the context of a mail, its template puts it into words."""
