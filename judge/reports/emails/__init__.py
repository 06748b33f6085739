"""Emails the judge sends: one module a family, its values beside what builds them."""
