"""Several nodes of one house in simulation: they die, stand still and are cut off, and their bus is not to be relied on."""
