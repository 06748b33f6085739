"""The command language: parse each line of an email, whoever sent it, into a value."""
