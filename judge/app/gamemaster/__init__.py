"""What a gamemaster sees of his games at the desk, and what he can do there."""
