"""The steps that bring a database to the present tables, as Alembic runs them."""

NEWEST = "0009"  # the last step
