"""The steps that bring a database to the current tables, run by Alembic."""

NEWEST = "0019"  # the last step
