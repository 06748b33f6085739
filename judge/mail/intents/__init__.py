"""Wishes in people's own words, read by example: `templates/intents` has a file for each wish."""
