"""The id of a request is used once at a table, and once at all cashiers together."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Let the ids of one player be used at several tables."""
    with op.batch_alter_table("log") as log:
        log.drop_constraint("log_request", type_="unique")
        log.create_unique_constraint("log_request", ["player", "request", "stream"])
    payments = sa.text("kind IN ('credit', 'debit', 'deposit', 'rollback', 'withdraw')")
    op.create_index(
        "log_payments",
        "log",
        ["player", "request"],
        unique=True,
        sqlite_where=payments,
        postgresql_where=payments,
    )
