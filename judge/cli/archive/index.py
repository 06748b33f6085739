"""`judge archive index`: a catalogue of recorded games, made or brought up to date."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import assert_never

import click

from judge.adapters.archive_files import How, UnknownFormatError, find, games
from judge.adapters.catalogue import (
    Catalogue,
    Identity,
    UnusableCatalogueError,
    identify,
    open_catalogue,
)
from judge.adapters.opening_files import load_openings
from judge.adapters.variant_files import load_map
from judge.archive.reading import UnreadableError
from judge.archive.record import Record
from judge.archive.stats.entry import entry_of
from judge.cli.archive.options import PATHS, reading_options
from judge.cli.exits import BAD_INPUT, UNAVAILABLE, fail

COUNTED = ("new", "changed", "unchanged", "vanished", "removed", "unread")


@dataclass(slots=True)
class _Indexing:
    """A run: how the games are read, into which catalogue, and what came of the files."""

    catalogue: Catalogue
    how: How
    named: frozenset[Path]
    files: Counter[str] = field(default_factory=Counter)
    there: set[str] = field(default_factory=set)


@click.command()
@click.argument("catalogue", type=click.Path(path_type=Path, dir_okay=False))
@PATHS
@reading_options
@click.option("--prune", is_flag=True, help="Forget files below the PATHs that are gone.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object at the end.")
def index(how: How, catalogue: Path, paths: Sequence[Path], *, prune: bool, as_json: bool) -> None:
    """List the games in each PATH in CATALOGUE, an SQLite file, to find them again.

    What was listed before and is unchanged is not read again; what was changed is replaced. A
    file is listed whole or not at all, so an interrupted run goes on where it was. What is
    doubted, and what cannot be read, is said on standard error, and the exit code is 65 if
    anything cannot be read.
    """
    try:
        with open_catalogue(catalogue, make=True) as opened:
            run = _Indexing(opened, how, frozenset(paths))
            _index(run, catalogue, paths)
            _look_for_vanished(run, paths, prune=prune)
            _tell(run, as_json=as_json)
    except UnusableCatalogueError as error:
        fail(str(error), UNAVAILABLE)
    if run.files["unread"]:
        raise SystemExit(BAD_INPUT)


def _index(run: _Indexing, catalogue: Path, paths: Sequence[Path]) -> None:
    itself = catalogue.resolve()
    for path in find(paths):
        if path.resolve() != itself:
            _index_file(run, path)


def _index_file(run: _Indexing, path: Path) -> None:
    try:
        identity = identify(path)
    except OSError as error:
        run.there.add(str(path.resolve()))
        _complain(run, f"{path}: {error.strerror}")
        return
    if identity.path in run.there:
        return  # by another way
    run.there.add(identity.path)
    state = run.catalogue.state(identity, run.how)
    run.files[state] += 1
    if state != "unchanged":
        _list_games(run, path, identity)


def _list_games(run: _Indexing, path: Path, identity: Identity) -> None:
    board, keep = load_map(), run.how.keep_addresses
    unread = list[UnreadableError]()
    with run.catalogue.replacing(identity, run.how, load_openings()) as file:
        for game in games(board, Path(identity.path), run.how):
            match game:
                case Record():
                    _tell_doubts(game)
                    file.add(entry_of(board, game, keep_addresses=keep))
                case UnknownFormatError() if path not in run.named:
                    pass
                case UnreadableError():
                    unread.append(game)
                case _:
                    assert_never(game)
        if unread:
            file.leave_unread(str(unread[0]))
    for error in unread:
        _complain(run, str(error))


def _complain(run: _Indexing, why: str) -> None:
    run.files["unread"] += 1
    click.echo(f"judge: {why}", err=True)


def _tell_doubts(record: Record) -> None:
    for doubt in record.doubts:
        line = f":{doubt.line}" if doubt.line else ""
        click.echo(f"{record.source.name}{line}: {doubt.why}: {doubt.text}", err=True)


def _look_for_vanished(run: _Indexing, paths: Sequence[Path], *, prune: bool) -> None:
    vanished = run.catalogue.vanished([each.resolve() for each in paths], run.there)
    run.files["removed" if prune else "vanished"] = len(vanished)
    if prune:
        run.catalogue.remove(vanished)


def _tell(run: _Indexing, *, as_json: bool) -> None:
    found = {name: run.files[name] for name in COUNTED} | {"games": run.catalogue.games()}
    if as_json:
        click.echo(json.dumps(found))
        return
    files = ", ".join(f"{run.files[name]} {name}" for name in COUNTED if run.files[name])
    click.echo(f"files: {files or 'none'}; {found['games']} games in the catalogue")
