"""`judge archive`: games recorded by any program or person."""
