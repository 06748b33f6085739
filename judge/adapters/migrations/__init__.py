"""The steps that bring a database to the present tables, as Alembic runs them."""

NEWEST = "0010"  # the last step
