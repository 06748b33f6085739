"""The operator's tasks: games, inbox, health, retention, erasure."""
