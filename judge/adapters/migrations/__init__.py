"""The steps that bring a database to the present tables, as Alembic runs them."""

NEWEST = "0014"  # the last step
