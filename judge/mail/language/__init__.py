"""The command language: each line of an email becomes a value."""
