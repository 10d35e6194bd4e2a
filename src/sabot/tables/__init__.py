"""A table in memory: its players with their money, and the round being played. No socket, no waiting."""
