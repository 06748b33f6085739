"""Adapters to the outside world: storage, sockets, clock, files."""
