"""`judge log`: show the event log of a game, and verify it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass
from itertools import chain
from typing import NoReturn, assert_never

import click

from judge.adapters.store.transactions import SqlTransaction
from judge.adapters.variant_files import load_map
from judge.app.ports.damaged_logs import find_damage
from judge.app.ports.database import Transaction
from judge.app.ports.judge import board_recorded
from judge.archive.log_conversion import imported_phases
from judge.archive.verification import replay_phase, replayable_phases
from judge.checkpoints import Verifier, read_witness
from judge.cli.command_group import CommandGroup
from judge.cli.game_source import existing_database, open_existing_store
from judge.cli.operator import backup
from judge.cli.operator.log_emails import EmailCheck, SavedEmail, read_email
from judge.cli.operator.published_log import (
    PublishedLog,
    log_in_store,
    payload_of,
    publish,
    read_published_log,
)
from judge.cli.options import settings_options
from judge.cli.progress import counting
from judge.cli.receipt import compare_heads, heads_in, is_email, typed_head
from judge.cli.terminal import BAD_INPUT, FOUND_WRONG, UNAVAILABLE, USAGE, counted, fail
from judge.errors import printable
from judge.event_log import Flaw, Head, Recorded, Row, Vouched, vouched_head
from judge.game.events import evolve
from judge.game.phases import Difference, PhaseClosed, PhaseRecorded, verify_phase
from judge.game.players.creation import BoardRecorded, GameCreated
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook
from judge.settings import Settings

HEAD_HELP = "A head of the log as printed in results; at least 16 digits."
WITNESS_HELP = "Another judge, as its `judge log key` prints it: show what it has cosigned."
PUBLISHED_HELP = "Compare emails with the log published there, not with the database."
ENDS = ("game_ended", "game_rolled_back")
VOTES = ("draw_voted", "concession_voted", "pause_voted")  # secret throughout the game
FACTS_SHOWN = (
    *("phase", "number", "power", "person", "sender", "result", "reason", "deadline"),
    *("record", "source", "parent", "epoch", "saved"),
)


def _keys(_: click.Context, __: click.Parameter, entries: tuple[str, ...]) -> tuple[Verifier, ...]:
    try:
        return tuple(read_witness(each).log for each in entries)
    except ValueError as error:
        fail(str(error), USAGE)


@click.group(cls=CommandGroup)
def log() -> None:
    """Show the log of a game, or verify it."""


log.add_command(backup.export)
log.add_command(backup.import_)
log.add_command(publish)


@log.command()
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per event, complete.")
@settings_options
def show(settings: Settings, game: str, *, as_json: bool) -> None:
    """Show every event of GAME.

    Secrets (orders until the phase closes, votes throughout the game) are left out, and so are
    events that cannot be read. `judge game show --orders` shows orders, and tells the players.
    """
    with _reading(settings) as transaction:
        rows = transaction.events.rows(_known_game(transaction, game))
    for row, payload in _open_to_all(rows):
        click.echo(_as_json(row, payload) if as_json else _as_line(row, payload))


@log.command()
@click.argument("games_and_emails", metavar="[GAME] [FILE.eml...]", nargs=-1)
@click.option("--head", "heads", metavar="HEX", multiple=True, help=HEAD_HELP)
@click.option("--log", "published", metavar="FOLDER|URL", help=PUBLISHED_HELP)
@click.option(
    "--witness", "witnesses", metavar="ENTRY", multiple=True, callback=_keys, help=WITNESS_HELP
)
@click.option("--json", "as_json", is_flag=True, help="One JSON line per game, head or email.")
@settings_options
def verify(
    settings: Settings,
    games_and_emails: tuple[str, ...],
    heads: tuple[str, ...],
    published: str | None,
    witnesses: tuple[Verifier, ...],
    *,
    as_json: bool,
) -> None:
    """Verify the log of GAME, or of every game.

    The judge checks the chain of hashes and names the first event that breaks it, then adjudicates
    each closed phase again and compares the results. Phases played elsewhere stay as recorded; the
    output counts how many of them agree. The exit code is 1 if anything differs.

    Results print the size and the root of the Merkle tree over all games. Saved as FILE.eml, they
    are compared with the log, and so are your orders in receipts (SET RECEIPTS FULL). The judge
    names the first event that differs. Players check their emails on their own machines against
    the log that `judge log publish` writes, with --log. With --witness it shows how much of the
    log another judge has cosigned.

    Older results have a head instead: the hash of the event that closed the phase. The command
    looks for it in the logs, as for --head.
    """
    asked = [each for each in games_and_emails if not is_email(each)]
    emails = [read_email(each) for each in games_and_emails if is_email(each)]
    proven = [each for each in emails if each.seen or each.recorded]
    known = *(read_witness(each).log for each in settings.witnesses), *witnesses
    if published:
        if asked or heads:
            fail("with --log, give saved emails only", USAGE)
        _compare_with_published(published, emails, known, as_json=as_json)
    printed = [*map(typed_head, heads), *chain.from_iterable(map(heads_in, games_and_emails))]
    with _reading(settings) as transaction:
        names = [_known_game(transaction, each) for each in asked] or transaction.events.games()
        found = [verify_game(transaction, name) for name in counting(names, len(names))]
        compared = tuple(compare_heads(transaction, names, printed))
        tree = PublishedLog() if asked and not proven else log_in_store(transaction)
    for each in found:
        click.echo(_verified_as_json(each) if as_json else _verified_as_line(each))
    for head in compared:
        click.echo(head.as_json() if as_json else head.as_line())
    wrong = sum(each.wrong is not None for each in found)
    if not as_json:
        phases = sum(each.phases for each in found)
        click.echo(
            f"{counted(phases, 'phase')} adjudicated again as recorded; "
            f"{wrong} of {len(found)} games wrong"
        )
    compares = bool(tree.checkpoints or proven)
    check = EmailCheck("log", tree, proven, known)
    differs = compares and _show_findings(check, as_json=as_json)
    if any(each.vouched for each in found):
        differs = False  # what the operator has accepted is no longer what the tree has
    if wrong or differs or not all(head.fits for head in compared):
        raise SystemExit(FOUND_WRONG)


def _compare_with_published(
    published: str, emails: Sequence[SavedEmail], known: Sequence[Verifier], *, as_json: bool
) -> NoReturn:
    """End with the findings about *emails* in the log *published* there."""
    if emails and not any(each.seen or each.recorded for each in emails):
        fail("none of the emails has a line of the log: save results or full receipts", BAD_INPUT)
    check = EmailCheck(published, read_published_log(published), emails, known)
    raise SystemExit(FOUND_WRONG if _show_findings(check, as_json=as_json) else 0)


def _show_findings(check: EmailCheck, *, as_json: bool) -> bool:
    """Print what emails and a log say of each other; return whether anything is wrong."""
    findings = list(check.findings())
    for each in findings:
        click.echo(each.as_json() if as_json else each.as_line())
    return any(each.wrong for each in findings)


@log.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def key(settings: Settings, *, as_json: bool) -> None:
    """Print the public key and the address of the judge, by which others know it.

    The operator of another judge adds the line to the setting `witnesses`, and you add theirs:
    then the two judges cosign each other's checkpoints once a day. Players give it to `judge log
    verify --witness`.
    """
    from judge.app.public_log import log_verifier

    with open_existing_store(settings) as judge, judge.database.write() as transaction:
        found = {"key": str(log_verifier(judge, transaction)), "address": judge.address}
    click.echo(json.dumps(found) if as_json else " ".join(found.values()))


@log.command()
@settings_options
def rebuild(settings: Settings) -> None:
    """Write the table of games, from which lists are answered, again from the logs."""
    from judge.app.game.summaries import rebuild_summaries

    with open_existing_store(settings) as judge:
        rebuilt = rebuild_summaries(judge)
    click.echo(f"{counted(len(rebuilt.games), 'game')}; {len(rebuilt.differed)} differed")
    if rebuilt.unread:
        names = ", ".join(rebuilt.unread)
        fail(f"the logs of {names} cannot be read: `judge log verify` says why", FOUND_WRONG)


@log.command()
@click.argument("game")
@click.option("--reason", required=True, help="The reason; `judge log verify` prints it.")
@settings_options
def accept(settings: Settings, game: str, reason: str) -> None:
    """Accept the log of GAME although an event was altered; its phases close again.

    Missing events cannot be accepted: restore them from a backup.
    """
    from judge.app.game import apply

    with open_existing_store(settings) as judge:
        with judge.database.read() as transaction:
            _known_game(transaction, game)
        flaw = apply.accept_damaged_log(judge, game, reason)
    if flaw is None:
        fail(f"the log of {game} is intact: there is nothing to accept", USAGE)
    click.echo(f"{game}: event {flaw.version} is {flaw.damage.value}, accepted")


@contextmanager
def _reading(settings: Settings) -> Iterator[SqlTransaction]:
    with existing_database(settings) as database, database.read() as transaction:
        yield transaction


def _known_game(transaction: Transaction, game: str) -> str:
    if transaction.events.head(game).version == 0:
        fail(f"there is no game {game!r}: `judge game list` shows them", UNAVAILABLE)
    return game


def _open_to_all(rows: Sequence[Row]) -> Iterator[tuple[Row, Mapping[str, object] | None]]:
    """Yield each event with its payload, None while that is secret (it has a nonce) or damaged."""
    closed = max((row.version for row in rows if row.type == "phase_closed"), default=0)
    ends = [row.type for row in rows if row.type in ENDS]
    ended = ends[-1:] == ["game_ended"]  # and not undone
    for row in rows:
        payload = payload_of(row)
        pending = not ended and (row.version > closed or row.type in VOTES)
        yield row, None if pending and payload and "nonce" in payload else payload


def _as_json(row: Row, payload: Mapping[str, object] | None) -> str:
    return json.dumps(
        {
            "game": row.game,
            "version": row.version,
            "recorded_utc": row.recorded_utc,
            "type": row.type,
            "schema": row.schema,
            "payload": payload,
            "hash": row.hash,
        }
    )


def _as_line(row: Row, payload: Mapping[str, object] | None) -> str:
    missing = "(damaged)" if payload_of(row) is None else "(secret)"
    text = missing if payload is None else _facts(payload)
    line = f"{row.version:5}  {row.recorded_utc[:19]}Z  {row.type:24}{text}".rstrip()
    return printable(line)


def _facts(payload: Mapping[str, object]) -> str:
    return " ".join(f"{name}={payload[name]}" for name in FACTS_SHOWN if payload.get(name))


def _verified_as_line(verified: Verified) -> str:
    name, wrong = verified.game, verified.wrong
    match wrong:
        case None:
            events, phases = (
                counted(verified.head.version, "event"),
                counted(verified.phases, "phase"),
            )
            sound = f"{events}, {phases}{_elsewhere(verified)}{_vouched(verified)}"
            return f"{name}: sound, {sound}, head {verified.head.hash[:16]}"
        case Flaw():
            return f"{name}: event {wrong.version} is {wrong.damage.value}"
        case ChangedVerdict():
            fields = _fields(wrong)
            return f"{name}: event {wrong.version} closes {wrong.phase} with different {fields}"
        case _:
            assert_never(wrong)


def _elsewhere(verified: Verified) -> str:
    phases, compared, agreeing = astuple(verified.taken_over)
    if not phases:
        return ""
    return f", {phases} as recorded elsewhere ({agreeing} of {compared} agree)"


def _vouched(verified: Verified) -> str:
    found = verified.vouched
    if not found:
        return ""
    accepted = f", accepted to event {found.head.version} on {found.at:%F}: {found.reason!r}"
    otherwise = (
        f"{each.phase} would now be adjudicated differently: {_fields(each)}"
        for each in verified.otherwise
    )
    return "; ".join((accepted, *otherwise))


def _fields(misjudged: ChangedVerdict) -> str:
    return ", ".join(each.field for each in misjudged.differences)


def _verified_as_json(verified: Verified) -> str:
    facts: dict[str, object] = {
        "game": verified.game,
        "events": verified.head.version,
        "phases": verified.phases,
        "head": verified.head.hash,
        "sound": verified.wrong is None,
        "recorded_elsewhere": asdict(verified.taken_over),
    }
    if verified.vouched:
        facts["let_stand"] = {
            "events": verified.vouched.head.version,
            "reason": verified.vouched.reason,
            "otherwise": [_misjudged(each) for each in verified.otherwise],
        }
    match verified.wrong:
        case Flaw(_, version, damage):
            facts["wrong"] = {"version": version, "damage": damage.value}
        case ChangedVerdict():
            facts["wrong"] = _misjudged(verified.wrong)
        case None:
            pass
        case _:
            assert_never(verified.wrong)
    return json.dumps(facts)


def _misjudged(found: ChangedVerdict) -> dict[str, object]:
    fields = [each.field for each in found.differences]
    return {"version": found.version, "phase": found.phase, "fields": fields}


@dataclass(frozen=True, slots=True)
class ChangedVerdict:
    """The first event of a game that closes its phase differently than the rules do now."""

    version: int
    phase: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class TakenOver:
    """The *phases* of a game that were played elsewhere, as numbers.

    *agreeing* of those that could be *compared* match the rules. The record counts even where it
    differs, so the log is not wrong.
    """

    phases: int = 0
    compared: int = 0
    agreeing: int = 0


@dataclass(frozen=True, slots=True)
class Verified:
    """The log of *game* up to its *head*, and its first error (*wrong*).

    *phases* counts the phases adjudicated here with the same results as now. *vouched* is the
    operator's acceptance, and *otherwise* the accepted phases that the rules now adjudicate
    differently.
    """

    game: str
    head: Head
    phases: int = 0
    wrong: Flaw | ChangedVerdict | None = None
    taken_over: TakenOver = TakenOver()
    vouched: Vouched | None = None
    otherwise: tuple[ChangedVerdict, ...] = ()


def board_in_log(log: Sequence[Recorded]) -> Map:
    """Return the board of the game with this *log*."""
    match [each.event for each in log[:2]]:
        case [GameCreated() as created, BoardRecorded() as recorded]:
            return board_recorded(load_map, created.variant, recorded)
        case [GameCreated() as created, *_]:
            return load_map(created.variant)
        case _:
            raise AssertionError("a log begins with the creation of its game")


def verify_game(transaction: SqlTransaction, name: str) -> Verified:
    """Verify the chain of the game *name*, then adjudicate every closed phase again."""
    head, vouched = transaction.events.head(name), transaction.events.vouched(name)
    flaw = find_damage(transaction, name)
    if flaw:
        return Verified(name, head, wrong=flaw)
    log = transaction.events.read(name)
    board, phases = board_in_log(log), 0
    accepted = vouched_head(transaction.events.rows(name), vouched).version if vouched else 0
    otherwise = list[ChangedVerdict]()
    game = evolve(board, None, log[0].event)
    elsewhere = _taken_over(board, log, game.rulebook)
    for recorded in log[1:]:
        if isinstance(recorded.event, PhaseClosed):
            differences = verify_phase(board, game, recorded.event)
            wrong = ChangedVerdict(recorded.version, recorded.event.phase, differences)
            if not differences:
                phases += 1
            elif recorded.version <= accepted:
                otherwise.append(wrong)
            else:
                return Verified(name, head, phases, wrong, elsewhere, vouched, tuple(otherwise))
        game = evolve(board, game, recorded.event)
    return Verified(name, head, phases, None, elsewhere, vouched, tuple(otherwise))


def _taken_over(board: Map, log: Sequence[Recorded], rulebook: Rulebook) -> TakenOver:
    recorded = [each.event for each in log if isinstance(each.event, PhaseRecorded)]
    trials = tuple(replayable_phases(board.calendar, tuple(imported_phases(log))))
    return TakenOver(
        phases=sum(not each.by_law for each in recorded),
        compared=len(trials),
        agreeing=sum(not replay_phase(board, each, rulebook)[1] for each in trials),
    )
