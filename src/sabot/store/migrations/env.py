"""Run by Alembic with our connection, inside our transaction."""

from alembic import context

from sabot.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
