"""One game: its commands, events and state.

Nothing here does I/O.
"""
