"""Read orders from text, including unclear ones, and write them."""
