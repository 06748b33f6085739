"""The desk: pages on loopback, on which a gamemaster looks after his games."""
