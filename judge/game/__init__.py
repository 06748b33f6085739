"""One game: what may be asked of it, what it answers, and what is so after each event.

Nothing here does I/O.
"""
