"""Files of recorded games, their index, and work spread over them."""
