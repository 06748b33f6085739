"""How many connections may be open at once: the system lets a process have so many files.

A process that has used them all up can open neither its store nor a mail, and the event loop
writes some lines into the log for each try to accept one more, thousands in a second.
"""

from __future__ import annotations

import resource

OTHERS = 100  # the store with its journals, mails that go out, a mailbox, metrics


def connections(doors: int, wanted: int) -> int:
    """Ask the system for *wanted* connections at each of *doors*, and return how many it lets."""
    needed = doors * wanted + OTHERS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, min(wanted, (allowed - OTHERS) // doors))
