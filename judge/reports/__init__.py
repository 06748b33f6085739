"""Emails and pages: builders make the context of each, and its template puts it into words."""
