"""The mass simulation, judged by the engine and by exact values."""
