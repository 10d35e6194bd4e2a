"""Generators and other tools of the repository; not in the wheel."""
