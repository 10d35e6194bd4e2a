"""What the house keeps: one log, one ledger, one writer, in an SQLite file or PostgreSQL."""
