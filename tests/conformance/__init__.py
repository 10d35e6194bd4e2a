"""The conformance matrix: which tests prove which rules, and whether they passed."""
