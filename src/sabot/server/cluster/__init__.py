"""One house on many nodes (CLU): links between them, tables that live elsewhere, leases and placement."""
