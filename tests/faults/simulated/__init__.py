"""Crashes and faults of a house in virtual time."""
