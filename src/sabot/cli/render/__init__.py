"""Tables, cards and drawings for the terminal."""
