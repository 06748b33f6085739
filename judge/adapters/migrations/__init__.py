"""The steps that bring a database to the current tables, run by Alembic."""

NEWEST = "0018"  # the last step
