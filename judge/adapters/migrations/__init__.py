"""The steps that bring a database to the current tables, run by Alembic."""

OLDEST = "0014"  # the first step, to which REACHES_OLDEST takes the tables of earlier commits
REACHES_OLDEST = "99ecdec2"
NEWEST = "0034"  # the last step
