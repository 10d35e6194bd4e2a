"""A house and its guests, for tests in a browser."""
