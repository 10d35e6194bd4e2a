"""Live tables under faults: the server's own desks, floor and sockets in virtual time, with crowds that do everything wrong."""
