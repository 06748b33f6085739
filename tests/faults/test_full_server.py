"""A database server whose disk is full: requirement R6 on PostgreSQL.

Either a table cannot grow, or the server's own journal cannot: then the server ends, and whoever
looks after it starts it again. Whichever comes first here is the same to who writes emails.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from functools import partial
from pathlib import Path

import pytest

from tests.support.daemon import seated, wait_until
from tests.support.final_count import everything_counts_once
from tests.support.nodes import Node, moved, several
from tests.support.postgres import Postgres, postgresql
from tests.support.servers import small_disk

MEGABYTES = 96
SMALL = ("fsync=off", "min_wal_size=2MB", "max_wal_size=4MB")
SHORT_JOURNALS = "--wal-segsize=1"  # a megabyte each
ROOM = 2_000_000  # when emails begin to come
MAILS_MAX = 400
REFUSED_IN_A_ROW = 5  # then there is no room any more
LINES = 600


@pytest.mark.slow
def test_r6_a_full_disk_refuses_mail_for_now_and_loses_nothing_accepted(
    begun: Path, tmp_path: Path
) -> None:
    with (
        postgresql(SMALL, SHORT_JOURNALS, where=partial(small_disk, MEGABYTES)) as server,
        several(begun, tmp_path, server, moved(begun, server)) as nodes,
    ):
        node = nodes.nodes[0]
        node.start()
        player, start = seated(node, "FRANCE")
        mails = [player.answering(start, long_text(number)) for number in range(MAILS_MAX)]
        with filled(server.base, but=ROOM):
            offered = offer_until_refused(node, mails)
        assert node.promised

        start_again(server)
        wait_until(lambda: node.offer(mails[offered]), lambda: node.log()[-2000:])

        everything_counts_once(node, "Army Paris -> Burgundy")
        assert "baltic: sound" in node.judge("log", "verify")
        assert node.stop() == 0


def long_text(number: int) -> str:
    """Order something, and quote what takes room: nothing in it can be told in fewer words."""
    dice = random.Random(number)  # noqa: S311 - no secret
    quoted = "\n".join(f"> {dice.randbytes(30).hex()}" for _ in range(LINES))
    return f"A Par-Bur\n\nFor the {number}th time.\n{quoted}\n"


@contextmanager
def filled(disk: Path, *, but: int) -> Iterator[None]:
    """Leave *but* so many bytes of room on *disk* while the block runs."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free - but)
    try:
        yield
    finally:
        ballast.unlink()


def offer_until_refused(node: Node, mails: list[EmailMessage]) -> int:
    """Offer *mails* until there is no more hope; return how many were offered."""
    refused = 0
    for number, mail in enumerate(mails[:-1], start=1):
        refused = 0 if node.offer(mail) else refused + 1
        if refused == REFUSED_IN_A_ROW:
            return number
    return len(mails) - 1


def start_again(server: Postgres) -> None:
    """Start *server*, if it has ended: not even to end well is there room on a full disk."""
    assert server.process
    if server.process.poll() is not None:
        server.start()
