"""Labelled parts of whole emails: the lines of each, and how to see that it had its effect."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from textwrap import wrap

from judge.game.game_state import Game
from judge.game.players.diaries import NoteWritten
from judge.notation.order_text import write_order
from judge.rules.phase_context import PhaseContext
from judge.rules.types import Hold, Move, Order, Unit, UnitKind, UnitName
from tests.support.table import Mail, Table

PHRASES: dict[str, Mapping[str, Sequence[str]]] = tomllib.loads(
    (Path(__file__).parent / "parts.toml").read_text(encoding="utf-8")
)
UNITS = {
    "en": {UnitKind.ARMY: "army", UnitKind.FLEET: "fleet"},
    "de": {UnitKind.ARMY: "Armee", UnitKind.FLEET: "Flotte"},
    "fr": {UnitKind.ARMY: "armée", UnitKind.FLEET: "flotte"},
}


@dataclass(frozen=True)
class Situation:
    """The writer's place in one game: what they may order there."""

    table: Table
    game: str
    power: str

    @property
    def now(self) -> Game:
        return self.table.game(self.game)


@dataclass(frozen=True)
class Part:
    """A part of *kind*: its *lines*, and whether the answers show that it *took* effect.

    So may single lines, by their index, where each is an order.
    """

    kind: str
    lines: tuple[str, ...]
    took: Callable[[Sequence[Mail]], bool]
    line_took: Callable[[int], bool] = lambda _: False


EFFECTS: Mapping[str, Sequence[str]] = PHRASES.pop("effects")
WIDTH = 42  # of wrapped lines, in characters


def words_in(effect: str) -> Callable[[Sequence[Mail]], bool]:
    """Return a check that an answer has the words of *effect*, in any language."""
    return lambda mails: any(word in mail.words for mail in mails for word in EFFECTS[effect])


def quoted(line: str, mails: Sequence[Mail]) -> bool:
    """Return whether the answers *mails* show *line*, which may have been wrapped."""
    answers = " ".join(letters_of(mail.words) for mail in mails)
    return all(letters_of(each) in answers for each in wrap(line, WIDTH))


def letters_of(text: str) -> str:
    """Return *text* without what quoting and wrapping add."""
    return "".join(letter for letter in text.casefold() if letter.isalnum() or letter in "?!")


def orders(where: Situation, language: str, random: Random) -> Part:
    """Order some units in notation or in prose."""
    units = list(_units(where))
    prose = random.random() < PROSE
    chosen = random.sample(units, min(len(units), random.randint(1, 3)))
    lines, meant = [], []
    for unit in chosen:
        order = _order(where, unit, random)
        meant.append(write_order(order))
        lines.append(_written(where, order, language, random, prose=prose))

    def given() -> tuple[str, ...]:
        return where.table.current_orders(where.power, where.game)

    return Part(
        "prose" if prose else "orders",
        tuple(lines),
        lambda _: set(meant) <= set(given()),
        lambda number: meant[number] in given(),
    )


PROSE = 0.3


def _units(where: Situation) -> Sequence[Unit]:
    position = where.now.position
    assert position, "it has started"
    return position.units_of(where.power)


def _order(where: Situation, unit: Unit, random: Random) -> Order:
    game = where.now
    board, name = where.table.judge.board_of(game), UnitName(unit.kind, unit.location)
    assert game.position
    context = PhaseContext(board, game.position, game.rulebook)
    targets = [each for places in context.reachable(unit).values() for each in places]
    plain = [each for each in targets if "/" not in each]
    return Move(name, random.choice(plain)) if plain and random.random() < MOVES else Hold(name)


MOVES = 0.8


def _written(where: Situation, order: Order, language: str, random: Random, *, prose: bool) -> str:
    if not prose or isinstance(order, Hold):
        return write_order(order).title() if random.random() < TITLED else write_order(order)
    assert isinstance(order, Move)
    places = where.table.judge.board_of(where.now).places
    phrase = random.choice(PHRASES[language]["move"])
    return phrase.format(
        unit=UNITS[language][order.unit.kind or UnitKind.ARMY],
        place=places[order.unit.location.partition("/")[0]].name,
        target=places[order.target.partition("/")[0]].name,
    )


TITLED = 0.5


def all_hold(where: Situation, language: str, random: Random) -> Part:
    def held(_: Sequence[Mail]) -> bool:
        given = where.table.current_orders(where.power, where.game)
        return sum(each.endswith(" H") for each in given) == len(_units(where))

    return Part("hold", (random.choice(PHRASES[language]["hold"]),), held)


def sentence(kind: str) -> Callable[[Situation, str, Random], Part]:
    """Return the maker of a sentence of *kind*: whatever is done about it, it is quoted."""

    def make(_: Situation, language: str, random: Random) -> Part:
        line = random.choice(PHRASES[language][kind])
        took = words_in(kind)
        return Part(kind, (line,), lambda mails: quoted(line, mails) and took(mails))

    return make


def press(where: Situation, language: str, random: Random) -> Part:
    board = where.table.judge.board_of(where.now)
    reader = random.choice([each for each in board.players if each != where.power])
    text = random.choice(PHRASES[language]["press"])
    lines = (f"PRESS TO {board.nations[reader].name}", text, "ENDPRESS")

    def came(mails: Sequence[Mail]) -> bool:
        return quoted(text, [each for each in mails if each.kind == "letter"])

    return Part("press", lines, came)


def diary(where: Situation, language: str, random: Random) -> Part:
    before = where.table.count_events(NoteWritten, where.game)
    lines = ("DIARY", random.choice(PHRASES[language]["press"]), "ENDDIARY")
    return Part(
        "diary", lines, lambda _: where.table.count_events(NoteWritten, where.game) > before
    )


def vote(_: Situation, _language: str, random: Random) -> Part:
    line = random.choice(VOTES)
    return Part("vote", (line,), words_in(line.upper()))


VOTES = ("SET DRAW", "SET NODRAW", "VOTE PAUSE", "set wait")


def query(_: Situation, _language: str, random: Random) -> Part:
    line = random.choice(QUERIES)
    return Part("query", (line,), words_in(line.upper()))


QUERIES = ("STATUS", "whogame", "RULES", "DIARY LIST")


def foreign(_: Situation, _language: str, random: Random) -> Part:
    line = random.choice(FOREIGN)
    took = words_in("foreign")
    return Part("foreign", (line,), lambda mails: quoted(line, mails) and took(mails))


FOREIGN = ("who jo", "set no famine", "set broadcast none")


def odd(_: Situation, _language: str, random: Random) -> Part:
    return Part(
        "odd", (random.choice(("FOOBAR", "ENDIF", "XYZZY now", "PLUGH")),), lambda _: False
    )


MAKERS = (
    orders,
    orders,
    orders,
    all_hold,
    press,
    diary,
    vote,
    query,
    foreign,
    odd,
    sentence("question"),
    sentence("wish"),
    sentence("talk"),
    sentence("said"),
)
