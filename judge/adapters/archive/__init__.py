"""Files of recorded games, their catalogue, and work spread over them."""
