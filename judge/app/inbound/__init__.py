"""Incoming email: identify the sender, parse, carry out and reply."""
