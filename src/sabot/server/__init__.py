"""The house on the network: accounts, tables and pages on one port."""
