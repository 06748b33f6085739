"""The steps that bring a database to the present tables, as Alembic runs them."""

NEWEST = "0013"  # the last step
