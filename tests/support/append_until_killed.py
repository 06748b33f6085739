"""Append to a store until killed: `python -m tests.support.append_until_killed STORE`.

Prints each version once it is committed.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from judge.adapters.store.database import open_database
from judge.game.players.joining import PlayerLeft

if __name__ == "__main__":
    database = open_database(Path(sys.argv[1]))
    while True:
        with database.write() as transaction:
            version = transaction.events.head("garnet").version
            events = [PlayerLeft(f"{version}.{n}") for n in range(3)]
            appended = transaction.events.append("garnet", version, events, datetime.now(UTC))
        sys.stdout.write(f"{appended[-1].version}\n")
        sys.stdout.flush()
