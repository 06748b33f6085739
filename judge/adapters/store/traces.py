"""Traces of a judge in a folder whose store has no games."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from judge.adapters.age import MAGIC
from judge.settings import Settings

FILES_MAX = 200  # looked at in a folder
BACKUP = b'{"form":'  # begins the first line of each
NEW_KEY_MAX = timedelta(days=1)  # `judge setup` makes keys before the first start


def traces_of_judge(settings: Settings, database: Path, now: datetime) -> Iterator[str]:
    """Yield the emails, backups and keys that a judge has left beside *database*."""
    outgoing = (settings.maildir / name for name in ("new", "cur"))
    if not settings.smarthost and any(_files(folder) for folder in outgoing):
        yield f"sent emails in {settings.maildir}"
    for file in _files(database.absolute().parent):
        if file.name.startswith(f"{database.name}-wal."):
            yield f"the journal {file.name}"
        # To open and close SQLite's own files would drop its locks on them.
        elif not file.name.startswith(database.name) and _is_backup(file):
            yield f"the backup {file.name}"
    for keys in (settings.dkim_keys, settings.backup_key_file):
        files = _files(keys) if keys and keys.is_dir() else [keys] if keys else []
        if any(_is_older(file, now - NEW_KEY_MAX) for file in files):
            yield f"keys in {keys}"


def _files(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [each for each in islice(folder.iterdir(), FILES_MAX) if each.is_file()]
    return []


def _is_backup(file: Path) -> bool:
    with suppress(OSError, EOFError), file.open("rb") as opened:
        if opened.read(len(MAGIC)) == MAGIC:
            return True
        opened.seek(0)
        with gzip.GzipFile(fileobj=opened) as unpacked:
            return unpacked.read(len(BACKUP)) == BACKUP
    return False


def _is_older(file: Path, than: datetime) -> bool:
    with suppress(OSError):
        return file.stat().st_mtime < than.timestamp()
    return False
