"""A house of several nodes on this machine: PostgreSQL and NATS from wheels, nodes, and a small load balancer."""
