"""What goes wrong: crashes at every commit, processes killed, full disks, a database that goes away."""
