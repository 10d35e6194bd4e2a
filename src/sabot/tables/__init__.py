"""A table in memory: who sits with what money, and the round being played. No socket, no waiting."""
