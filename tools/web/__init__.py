"""Writes the types, texts and games that the web client is compiled from."""
