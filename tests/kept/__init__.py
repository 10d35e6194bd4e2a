"""Houses that releases wrote, kept: each later release opens them and goes on.

`python -m tests.kept` plays at a real `sabot serve` of this release and keeps the house under its version.
"""
