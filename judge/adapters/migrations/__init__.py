"""The steps that bring a database to the present tables, as Alembic runs them."""

NEWEST = "0007"  # the last step
