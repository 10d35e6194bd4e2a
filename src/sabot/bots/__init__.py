"""Bots: programs that play at live tables as people do, over the same socket, for play money, and marked as what they are."""
