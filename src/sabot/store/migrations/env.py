"""Alembic's way in: it is handed an open connection whose transaction is ours."""

from alembic import context

from sabot.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
