"""Incoming email: accepted, read, answered once."""
