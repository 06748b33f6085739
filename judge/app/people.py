"""Making somebody known: an opaque id for the log, an address for mail, a key for his press."""

from __future__ import annotations

from datetime import datetime

from judge.app.judge import Judge
from judge.app.ports import GIVEN_HANDLE, Person, Transaction


def register(
    judge: Judge, transaction: Transaction, address: str, now: datetime, person: str | None = None
) -> Person:
    """Return who has the verified *address*: if nobody, make him known, as *person* if given."""
    known = transaction.people.by_address(address)
    if known:
        return known
    person = person or judge.chance.nonce()
    handle = f"{GIVEN_HANDLE}{person[:6]}"  # shown to others: no part of the address
    transaction.people.add(person, address, handle, judge.chance.key(), now)
    added = transaction.people.get(person)
    assert added is not None
    return added
