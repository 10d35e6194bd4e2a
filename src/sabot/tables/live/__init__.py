"""Live tables: many people, one dealer, one clock. What may happen when; sockets and threads are the server's."""
