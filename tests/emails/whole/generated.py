"""Whole emails built from labelled parts, and whether anything of them is lost.

`python -m tests.emails.whole 20000` tries so many, prints the shares of the parts that were acted
on, offered, asked about and shown, and each that was lost.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from textwrap import wrap

from judge.adapters.variant_files import InstalledVariants
from judge.app.game.apply import apply_command
from judge.app.identity import register_person
from judge.game.players.standbys import JoinGame
from tests.emails.whole.parts import (
    MAKERS,
    PHRASES,
    WIDTH,
    Part,
    Situation,
    quoted,
    words_in,
)
from tests.support.table import Mail, Table

WRITER = "writer@players.example"
NAMES = (
    *("nova", "lyra", "vega", "deneb", "rigel", "atria", "sirius", "mimosa", "polaris", "altair"),
    *("capella", "regulus", "spica", "antares", "procyon", "bellatrix", "castor", "pollux"),
    *("adhara", "elnath", "alnilam", "alhena", "mirzam", "hamal", "diphda", "mizar", "saiph"),
    *("algol", "alcor", "electra", "maia", "merope", "taygeta", "sterope", "celaeno", "izar"),
)
FATES = ("acted on", "offered", "asked", "shown", "lost")
OFFERED = (
    *("USE THESE", "reply with the line", "Did you mean", "Reply YES"),
    *("antworte mit der Zeile", "Antworte YES", "répondez par la ligne", "Répondez YES"),
    *("Vouliez-vous dire",),
)
ASKED = (
    *("Do you mean", "Which do you mean", "is ambiguous", "Meinst du", "ist mehrdeutig"),
    *("Voulez-vous dire", "est ambiguë"),
)
TURN = 60  # emails in one judge; then another one starts afresh


@dataclass(frozen=True)
class Email:
    """A whole email: its *parts*, its text, and the game whose email it answers."""

    parts: tuple[Part, ...]
    text: str
    answers: str
    html: bool


@dataclass
class Result:
    """The number of parts of each kind that met each of `FATES`, and the emails that lost one."""

    fates: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    lost: list[tuple[Part, str]] = field(default_factory=list)

    def table(self) -> str:
        """Return the shares as text."""
        rows = [f"{'part':10}" + "".join(f"{fate:>10}" for fate in FATES)]
        whole: Counter[str] = Counter()
        for kind, counts in sorted(self.fates.items()):
            rows.append(_row(kind, counts))
            whole += counts
        return "\n".join((*rows, _row("all", whole)))


def _row(kind: str, counts: Counter[str]) -> str:
    shares = (counts[fate] / counts.total() for fate in FATES)
    return f"{kind:10}" + "".join(f"{share:>10.1%}" for share in shares)


def try_emails(count: int, seed: int = 1) -> Result:
    """Send *count* generated emails to judges that play all boards."""
    random, result = Random(seed), Result()
    variants = list(InstalledVariants().names())
    for start in range(0, count, TURN):
        random.shuffle(variants)
        with TemporaryDirectory() as folder:
            table = Table(Path(folder), seed=f"whole {seed} {start}")
            names = random.sample(NAMES, BOARDS)
            for variant, name in zip(variants[:BOARDS], names, strict=True):
                _start(table, name, variant)
            for number in range(min(TURN, count - start)):
                _try(table, names, random, f"new{number}", result)
            table.close()
    return result


BOARDS = 7  # of one judge: each board has its turn in five of them


def _start(table: Table, name: str, variant: str) -> None:
    """Start a game in which the writer has the first power."""
    table.open(name, "proposal_phases=0", variant=variant)
    now = table.clock.now()
    with table.database.write() as transaction:
        for number, power in enumerate(table.judge.boards(variant).players):
            address = f"p{number}@players.example" if number else WRITER
            person = register_person(table.judge, transaction, address, now)
            join = JoinGame(person.id, ((power,),), "seed")
            apply_command(table.judge, transaction, name, join, now)


def _try(table: Table, names: Sequence[str], random: Random, newest: str, result: Result) -> None:
    email = _email(table, names, random, newest)
    answered = [m for m in table.emails_to(WRITER) if f":{email.answers} - " in m.subject][-1]
    before = len(table.outbox())
    message = table.compose(
        WRITER,
        email.text,
        answered.reply_to,
        subject=f"Re: {answered.subject}",
        In_Reply_To=answered.message_id,
    )
    if email.html:
        lines = "<br>".join(escape(line) for line in email.text.split("\n"))
        message.set_content(f"<html><body>{lines}</body></html>", subtype="html")
    table.deliver(message, None, answered.reply_to)
    table.run_once()
    mails = table.outbox()[before:]
    for part in email.parts:
        fate = _fate(part, mails)
        result.fates[part.kind][fate] += 1
        if fate == "lost":
            answers = "\n".join(mail.text for mail in mails if mail.recipient == WRITER)
            result.lost.append((part, f"{email.text}\n--- answered:\n{answers}"))


def _fate(part: Part, mails: Sequence[Mail]) -> str:
    own = [mail for mail in mails if mail.recipient == WRITER]
    if part.took(mails):
        return FATES[0]
    for number, line in enumerate(part.lines):
        if not (quoted(line, own) or part.line_took(number)):
            return FATES[-1]
    told = " ".join(mail.words for mail in own)
    if any(word in told for word in OFFERED):
        return FATES[1]
    return FATES[2] if any(word in told for word in ASKED) else FATES[3]


def _email(table: Table, names: Sequence[str], random: Random, newest: str) -> Email:
    """Build an email about one to three games, with a JOIN now and then."""
    language = random.choice(list(PHRASES))
    games = random.sample(names, random.choice((1, 2, 2, 3)))
    answers, phrases = random.choice(games), PHRASES[language]
    parts: list[Part] = []
    lines: list[str] = []
    sections = {game: list(_section(table, game, language, random)) for game in games}
    if _has_receipt(sections[games[0]]) and random.random() < HALF:
        parts.append(_courtesy("greeting", random.choice(phrases["greeting"])))
        lines += (parts[-1].lines[0], "")
    for game, some in sections.items():
        if len(games) > 1 or random.random() < HALF:
            lines.append(random.choice(phrases["heading"]).format(game=game))
        for part in some:
            lines += (*part.lines, *([""] if random.random() < HALF else []))
        parts += some
        lines.append("")
    if random.random() < JOINS:
        parts.append(_join(table, newest, random))
        lines += (*parts[-1].lines, "")
    if (parts[-1].kind == "join" or _has_receipt(sections[games[-1]])) and random.random() < HALF:
        closing, name = random.choice(phrases["closing"]), random.choice(phrases["name"])
        parts.append(_courtesy("closing", closing, name))
        lines += parts[-1].lines
    text = "\n".join(lines)
    if random.random() < WRAPPED:
        text = "\n".join(
            each for line in lines for each in (wrap(line, WIDTH, break_long_words=False) or [""])
        )
    if random.random() < QUOTED:
        text += (
            "\n\nOn Mon, 23 Nov 2026 at 12:00, Judge <judge@judge.example> wrote:\n> It is over."
        )
    return Email(tuple(parts), text, answers, html=random.random() < IN_HTML)


HALF, JOINS, WRAPPED, QUOTED, IN_HTML = 0.5, 0.15, 0.25, 0.3, 0.2


def _has_receipt(parts: Sequence[Part]) -> bool:
    """Return whether more than pages answers *parts*: only a receipt counts courtesies."""
    return any(part.lines and part.kind != "query" for part in parts)


def _courtesy(kind: str, *lines: str) -> Part:
    return Part(kind, lines, words_in("courtesy"))


def _section(table: Table, game: str, language: str, random: Random) -> Iterator[Part]:
    """Yield parts for *game*: each kind once, since a second one may take back the first."""
    where = Situation(table, game, table.judge.board_of(table.game(game)).players[0])
    kinds: set[str] = set()
    for make in random.sample(MAKERS, random.randint(1, 4)):
        part = make(where, language, random)
        group = ORDERING if part.kind in ORDERING else frozenset({part.kind})
        if kinds.isdisjoint(group):
            kinds |= group
            yield part


ORDERING = frozenset({"orders", "prose", "hold"})


def _join(table: Table, name: str, random: Random) -> Part:
    variant = random.choice(list(InstalledVariants().names()))
    table.open(name, variant=variant)
    powers = [table.judge.boards(variant).nations[each].name for each in _players(table, variant)]
    wish = random.choice(("", f" PREFER {', '.join(powers[:2])}", f" PREFER: {powers[-1]}"))
    return Part("join", (f"JOIN {name}{wish}",), lambda _: bool(_entered(table, name)))


def _players(table: Table, variant: str) -> Sequence[str]:
    return table.judge.boards(variant).players


def _entered(table: Table, name: str) -> bool:
    game = table.game(name)
    with table.database.read() as transaction:
        writer = transaction.people.by_address(WRITER)
    return bool(writer and game.knows(writer.id))
