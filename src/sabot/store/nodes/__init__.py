"""Nodes: the processes that serve a house (CLU-03)."""
