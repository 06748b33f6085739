"""The command language: each line of a letter becomes a value; who said it, others find out."""
