"""The steps that bring a database to the current tables, run by Alembic."""

NEWEST = "0020"  # the last step
