"""Golden playthroughs: one file per game that shows each state of a few rounds and its legal moves.

`python -m tests.golden` writes them again; a difference is then to be read and committed, or mended.
"""
