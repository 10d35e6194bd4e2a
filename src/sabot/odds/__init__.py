"""Exact odds: hands, tables, games, side bets and prices."""
