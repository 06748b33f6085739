"""Outgoing email: recipients, drafts, queue, delivery, maps."""
