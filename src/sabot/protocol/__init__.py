"""Messages between clients and the house: requests, responses, frames. Types and nothing else."""
