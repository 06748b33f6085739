"""Read orders in people's own words: the cheapest explanation of a text on the board.

`read_text` takes a text and what its writer sees, and returns orders with their status.
"""
