"""Emails as people write them with what their writers meant: `labelled/*.toml`.

`python -m tests.emails.labelled` prints how many of the orders meant the judge carries out, offers
and misreads, by language and form, and each email that it does not read as meant.
"""

from __future__ import annotations

import json
import time
import tomllib
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.situation import Situation
from judge.archive.position_json import read_position
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear
from judge.rules.board import DEFAULT_VARIANT, Map
from judge.rules.rulebook import DATC
from judge.rules.types import Position, province_of

FOLDER = Path(__file__).parent / "labelled"
EMAILS = "emails"
SETS = (
    *(EMAILS, "heldout", "fresh", "november", "december", "many_voices", "more_voices"),
    *(f"voices_{letter}" for letter in "acdefghijklmnopqrstuvwxyz"),
    *("voices_aa", "voices_bb", "voices_cc", "voices_dd", "voices_ee", "voices_ff"),
    "winter",
)
TALK, NOTATION = "talk", "notation"
BOARDS = {  # positions on other boards: their starts
    each: each for each in ("aberration", "ancient-med", "hundred", "modern")
} | {"yng": "youngstown", "sen": "sengoku"}


@dataclass(frozen=True)
class Labelled:
    """An email, its writer's situation, and the orders meant, as `A PAR - BUR`."""

    name: str
    language: str
    form: str
    situation: Situation
    text: str
    meant: frozenset[str]


@dataclass(frozen=True)
class Found:
    """The orders that the judge carries out and those that it offers."""

    orders: frozenset[str]
    offered: frozenset[str] = frozenset()


@dataclass
class Score:
    """Numbers of emails and orders. Anything carried out that is not meant is *wrong*."""

    emails: int = 0
    meant: int = 0
    understood: int = 0
    offered: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, email: Labelled, found: Found) -> None:
        """Count *email*."""
        self.emails += 1
        self.meant += len(email.meant)
        self.understood += len(email.meant & found.orders)
        self.offered += len((email.meant & found.offered) - found.orders)
        self.wrong += [f"{email.name}: {each}" for each in sorted(found.orders - email.meant)]

    @property
    def share(self) -> float:
        """Return how much of what was meant is carried out, from 0 to 1."""
        return self.understood / self.meant if self.meant else 1.0


@cache
def labelled(name: str = EMAILS) -> tuple[Labelled, ...]:
    """Return the emails of the set *name*."""
    source = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    return tuple(_email(each) for each in source["email"])


@cache
def _positions() -> Mapping[str, tuple[Map, Position]]:
    standard = load_map()
    sources = [
        tomllib.loads((FOLDER / f"{name}.toml").read_text()) for name in (EMAILS, "december")
    ]
    written = {
        name: (standard, read_position(standard, at, DATC))
        for source in sources
        for name, at in source["positions"].items()
    }
    others = {name: load_map(board) for name, board in BOARDS.items()}
    starts = {name: (board, board.start) for name, board in others.items()}
    return {"start": (standard, standard.start), **written, **starts}


def _email(source: Mapping[str, Any]) -> Labelled:
    if "position" in source:
        board, position = _positions()[source["position"]]
    else:
        board = load_map(source.get("board", DEFAULT_VARIANT))
        position = read_position(board, source, DATC)
    situation = Situation(board, position, source["power"])
    meant = (each for each in source["orders"].split(";") if each.strip())
    return Labelled(
        source["name"],
        source["language"],
        source["form"],
        situation,
        source["text"],
        frozenset(settled(situation, each) for each in meant),
    )


def settled(situation: Situation, text: str) -> str:
    """Return an order in one form: without VIA and routes, with the kinds and coasts of units.

    A support needs no coast of the province that the other unit moves to (DATC 6.B.4).
    """
    plain = " ".join(text.upper().split())
    if " S " in plain and " - " in plain:
        supported, _, target = plain.rpartition(" - ")
        plain = f"{supported} - {province_of(target)}"
    if plain.count(" - ") > 1:
        plain = " - ".join(plain.split(" - ")[:: plain.count(" - ")])
    if plain.startswith("BUILD "):
        plain = f"{plain.removeprefix('BUILD ')} B"
    position = situation.position
    units = {each.province: each for each in position.units}
    if plain.endswith((" D", " B")) or " R " in plain:
        units = {each.unit.province: each.unit for each in position.dislodged} or units
    words = plain.removesuffix(" VIA").split(" ")
    if plain.endswith(" B"):
        return plain
    for at in [n for n, word in enumerate(words[:-1]) if word in {"A", "F"}]:
        unit = units.get(province_of(words[at + 1]))
        if unit:
            words[at : at + 2] = unit.name.split(" ")
    return " ".join(words)


def found_in(email: Labelled) -> Found:
    """Read *email* as the judge does."""
    read = read_email(email.situation, split(email.text))
    offered = [order for each in read.pieces if isinstance(each, Unclear) for order in each.orders]
    offered += [
        each.nearest for each in read.pieces if isinstance(each, NotUnderstood) and each.nearest
    ]
    return Found(
        frozenset(settled(email.situation, write_order(each)) for each in read.orders),
        frozenset(settled(email.situation, write_order(each)) for each in offered),
    )


def scores(emails: Iterable[Labelled]) -> Mapping[tuple[str, str], Score]:
    """Return the scores of *emails* by form and language."""
    table: dict[tuple[str, str], Score] = defaultdict(Score)
    for email in emails:
        table[email.form, email.language].add(email, found_in(email))
    return dict(sorted(table.items()))


def _rows(table: Mapping[tuple[str, str], Score]) -> Iterator[str]:
    yield f"{'form':10}{'':4}{'emails':>7}{'orders':>7}{'done':>7}{'offered':>9}{'wrong':>7}"
    for (form, language), each in table.items():
        offered = each.offered / each.meant if each.meant else 0
        yield (
            f"{form:10}{language:4}{each.emails:7}{each.meant:7}{each.share:7.0%}{offered:9.0%}"
            f"{len(each.wrong):7}"
        )


def _with_sums(
    table: Mapping[tuple[str, str], Score],
) -> Mapping[tuple[str, str], Score]:
    sums: dict[tuple[str, str], Score] = defaultdict(Score)
    for (form, _), each in table.items():
        for key in ((form, "all"), ("all", "")):
            total = sums[key]
            total.emails += each.emails
            total.meant += each.meant
            total.understood += each.understood
            total.offered += each.offered
            total.wrong += each.wrong
    return dict(sorted({**table, **sums}.items()))


def readings(emails: Iterable[Labelled]) -> dict[str, list[str]]:
    """Return the orders carried out and offered of each email, by its name."""
    found = {f"{email.name} ({email.situation.power})": found_in(email) for email in emails}
    return {
        name: [*sorted(each.orders), *(f"{order} (offered)" for order in sorted(each.offered))]
        for name, each in found.items()
    }


def changes(before: Mapping[str, list[str]], now: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield a line for each email that is read otherwise than *before*."""
    for name, orders in now.items():
        if orders != (then := before.get(name, [])):
            lost, new = sorted({*then} - {*orders}), sorted({*orders} - {*then})
            yield f"{name}: lost {'; '.join(lost) or 'nothing'}, new {'; '.join(new) or 'nothing'}"


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("set", nargs="?", default=EMAILS, choices=SETS)
    options.add_argument("--scores", action="store_true", help="print no emails")
    options.add_argument("--save", type=Path, help="keep all readings, to compare with later")
    options.add_argument("--changes", type=Path, help="list the emails read otherwise than then")
    asked = options.parse_args()
    if asked.save or asked.changes:
        everything = readings(each for name in SETS for each in labelled(name))
        if asked.save:
            asked.save.write_text(json.dumps(everything, indent=1))
        before = json.loads(asked.changes.read_text()) if asked.changes else everything
        print(*changes(before, everything), sep="\n")
        return
    emails = labelled(asked.set)
    start = time.process_time()
    table = scores(emails)
    spent = (time.process_time() - start) / len(emails)
    for email in () if asked.scores else emails:
        _explain(email)
    print(*_rows(_with_sums(table)), sep="\n")
    print(f"{1000 * spent:.1f} ms of CPU an email")
    print(Counter(each.form for each in emails))


def _explain(email: Labelled) -> None:
    found = found_in(email)
    if found.orders == email.meant:
        return
    print(f"--- {email.name} ({email.situation.power})\n{email.text.strip()}")
    print("  lost: ", *sorted(email.meant - found.orders), sep="; ")
    print("  wrong:", *sorted(found.orders - email.meant), sep="; ")
    print("  offered:", *sorted(found.offered), sep="; ")


if __name__ == "__main__":
    main()
