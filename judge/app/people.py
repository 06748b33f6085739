"""Making somebody known: an opaque id for the log, an address for the post, a key for his press."""

from __future__ import annotations

from datetime import datetime

from judge.app.judge import Judge
from judge.app.ports import Person, Transaction


def register(judge: Judge, transaction: Transaction, address: str, now: datetime) -> Person:
    """Return the person with the verified *address*, making him known if he is not."""
    known = transaction.people.by_address(address)
    if known:
        return known
    person = judge.chance.nonce()
    handle = f"player-{person[:6]}"  # shown to others: no part of the address
    transaction.people.add(person, address, handle, judge.chance.key(), now)
    added = transaction.people.get(person)
    assert added is not None
    return added
