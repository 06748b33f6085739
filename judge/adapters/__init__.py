"""The doors to the world outside: storage, sockets, clock, files."""
