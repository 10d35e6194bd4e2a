"""The odds: what a hand is worth, exactly."""
