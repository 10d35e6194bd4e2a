"""The house over HTTP: routes, access, answers."""
