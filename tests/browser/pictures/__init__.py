"""Pictures of every screen, for the documents."""
