"""Run the steps inside the transaction that `judge.adapters.store.database` has begun."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
