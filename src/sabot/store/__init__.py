"""The store: one log, one ledger, one writer, in an SQLite file or PostgreSQL."""
