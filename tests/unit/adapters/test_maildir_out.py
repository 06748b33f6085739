"""Delivery into a Maildir: once, with private files and the envelope."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.adapters import outputs
from judge.adapters.outputs import Maildir
from judge.adapters.system_clock import SystemClock
from judge.app.outbound.delivery import Blocked, Taken
from judge.app.ports.outbox import OutgoingMail

MAIL = OutgoingMail(
    message_id="<one@judge.example>",
    sender="judge@judge.example",
    recipient="anna@example.org",
    raw=b"Subject: hello\r\n\r\nhello\r\n",
    due_utc=datetime(2026, 11, 27, 20, tzinfo=UTC),
    kind="receipt",
)


def deliver(maildir: Maildir) -> object:
    return asyncio.run(maildir.deliver(MAIL))


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_an_email_is_in_new_with_its_envelope(tmp_path: Path) -> None:
    assert deliver(Maildir(tmp_path)) == Taken()

    (path,) = files(tmp_path)
    assert path.parent.name == "new"
    assert path.read_bytes() == (
        b"Return-Path: <judge@judge.example>\r\nDelivered-To: anna@example.org\r\n" + MAIL.raw
    )


def test_a_repeated_email_is_accepted_and_not_written(tmp_path: Path) -> None:
    maildir = Maildir(tmp_path)
    deliver(maildir)

    assert deliver(maildir) == Taken()
    assert len(files(tmp_path)) == 1


def test_an_email_that_its_reader_has_moved_and_flagged_is_not_written_again(
    tmp_path: Path,
) -> None:
    maildir = Maildir(tmp_path)
    deliver(maildir)
    (path,) = files(tmp_path)
    path.rename(tmp_path / "cur" / f"{path.name}:2,S")

    deliver(maildir)

    assert len(files(tmp_path)) == 1


def test_only_an_email_that_was_tried_before_is_looked_for_among_those_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = list[Path]()

    def look(folder: Path) -> Iterator[Path]:
        looked.append(folder)
        return iter(())

    monkeypatch.setattr(Path, "iterdir", look)
    new = replace(MAIL, due_utc=SystemClock().now() + timedelta(minutes=1))

    asyncio.run(Maildir(tmp_path / "a").deliver(new))
    assert looked == []
    asyncio.run(Maildir(tmp_path / "b").deliver(replace(new, attempts=1)))
    asyncio.run(Maildir(tmp_path / "c", shared=True).deliver(new))
    asyncio.run(Maildir(tmp_path / "d").deliver(MAIL))  # queued before the judge started

    assert looked == [tmp_path / name / "cur" for name in "bcd"]


def test_a_draft_that_a_crash_left_is_written_over(tmp_path: Path) -> None:
    maildir = Maildir(tmp_path)
    deliver(maildir)
    (path,) = files(tmp_path)
    path.rename(tmp_path / "tmp" / path.name)
    (tmp_path / "tmp" / path.name).write_bytes(b"half a ma")

    deliver(maildir)

    (path,) = files(tmp_path)
    assert path.parent.name == "new"
    assert path.read_bytes().endswith(MAIL.raw)


def test_the_emails_are_private(tmp_path: Path) -> None:
    deliver(Maildir(tmp_path / "outgoing"))

    (path,) = files(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "outgoing" / "new").stat().st_mode) == 0o700


def test_an_unwritable_folder_is_a_temporary_failure(tmp_path: Path) -> None:
    maildir = Maildir(tmp_path)
    (tmp_path / "tmp").rmdir()

    assert isinstance(deliver(maildir), Blocked)


def test_an_email_that_is_there_is_synced_before_it_counts_as_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that wrote it may have been killed between the rename and the sync."""
    maildir = Maildir(tmp_path)
    deliver(maildir)
    synced: list[Path] = []
    monkeypatch.setattr(outputs, "sync_folder", synced.append)

    assert deliver(maildir) == Taken()
    assert synced == [tmp_path / "new"]
