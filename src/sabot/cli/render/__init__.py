"""What the terminal shows: tables, cards and drawings."""
