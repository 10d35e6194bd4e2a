"""Rounds on the store: a table's sittings, rounds and shoes, every step a row of its stream."""
