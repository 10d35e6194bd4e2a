"""The back office over HTTP: one module for the routes of each page (PLT-60)."""
