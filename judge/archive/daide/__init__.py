"""Sessions of DAIDE: the language, what of a game is said in it, and what became of orders."""
