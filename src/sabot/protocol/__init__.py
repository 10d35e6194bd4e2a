"""What clients and the house say to each other: requests, responses, frames. Message types and nothing else."""
