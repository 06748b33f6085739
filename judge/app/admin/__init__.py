"""What the operator does: games, inbox, health, retention, erasure."""
