"""Faults of a house of several nodes."""
