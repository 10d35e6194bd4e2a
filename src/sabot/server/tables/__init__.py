"""Tables as the server runs them: requests in, frames out."""
