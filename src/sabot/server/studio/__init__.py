"""The studio: tables that a person deals at, with real cards (STU)."""
