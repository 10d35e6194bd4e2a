"""A game at the terminal: `sabot play`."""
