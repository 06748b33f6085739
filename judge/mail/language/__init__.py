"""The command language: parse each line of an email, from any sender, into a value."""
