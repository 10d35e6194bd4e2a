"""Players: logins, passwords, limits of their own."""
