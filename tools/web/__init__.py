"""What the web client is compiled from: types, texts, games."""
