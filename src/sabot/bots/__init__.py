"""Bots: programs that play at live tables over the same socket as people, for play money, and marked as bots."""
