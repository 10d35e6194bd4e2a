"""The back office: what operators see and change while the house runs."""
