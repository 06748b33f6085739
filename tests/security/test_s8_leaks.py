"""S8: no one gets information they may not see; every secret is marked, every email searched.

Seven players, a moderator, an observer and a stranger write whatever they may ask, and press of
each kind, in a gunboat game and in a blind one; what a mark says may come only to those who may
know it, be it in text, markup, an appointment or what a picture is painted from.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from judge.app.ports.people import MailForm
from judge.mail.compose import recipes_of
from judge.mail.headers import token_of
from tests.support.table import JUDGE, MODERATOR, POWERS, Mail, Table

GAME = "harbor"
OBSERVER, STRANGER = "zq-olga@watchers.example", "zq-sam@nowhere.example"
PLAYERS = frozenset(POWERS)
READERS = (*POWERS, "MODERATOR", "OBSERVER", "STRANGER")
PRESS = ("signing=white_grey", "fakes=both", "observer_press=all")

# What each power orders first and takes back, and what it orders then.
CHANGED = {
    "AUSTRIA": ("A VIE - TYR", "A VIE - BOH", "F TRI H", "A BUD - RUM"),
    "ENGLAND": ("A LVP - CLY", "A LVP - WAL", "F EDI - NTH", "F LON H"),
    "FRANCE": ("A PAR - BRE", "A PAR - PIC", "A MAR - PIE", "F BRE H"),
    "GERMANY": ("A BER - PRU", "A BER - SIL", "F KIE - HOL", "A MUN H"),
    "ITALY": ("A ROM - TUS", "A ROM - APU", "F NAP - ION", "A VEN H"),
    "RUSSIA": ("A WAR - LVN", "A WAR - GAL", "F SEV - BLA", "A MOS H", "F STP/SC H"),
    "TURKEY": ("A SMY - SYR", "A SMY - ARM", "F ANK - BLA", "A CON - BUL"),
}
QUESTIONS = "STATUS\nLIST\nHISTORY BROAD\nSUMMARY\nWHOGAME\nRULES\nDIARY READ\nHELP\nPREVIEW"


def mark(kind: str, owner: str) -> str:
    return f"zq{kind}{owner.lower()}"


def address(reader: str) -> str:
    others = {"OBSERVER": OBSERVER, "STRANGER": STRANGER, "MODERATOR": MODERATOR}
    return others.get(reader) or f"{mark('addr', reader)}@players.example"


@pytest.fixture(scope="module", params=["anonymous=yes", "blind=yes"])
def played(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Table]:
    """Return a game in which each person has sent everything they can send."""
    judge = Table(tmp_path_factory.mktemp("leaks"), form=MailForm.PICTURES)
    judge.open(GAME, str(request.param), *PRESS, moderator=MODERATOR)
    people = Crowd(judge)
    people.take_seats()
    people.plot()
    judge.wait_until(judge.clock.time + timedelta(days=8))
    assert judge.phase(GAME) == "F1901M"
    people.ask_everything()
    judge.pass_time(hours=24 * 8)
    yield judge
    judge.close()


def test_no_secret_reaches_a_player_it_is_hidden_from(played: Table) -> None:
    hidden, told = marks(played), mails_by_reader(played)
    assert all(told[reader] for reader in READERS)
    assert all(address(power) in told[power] for power in POWERS)
    assert all(tokens_of(played, power) for power in POWERS)
    assert mark("press", "FRANCE") in told["GERMANY"]
    assert all(mark("all", power) in told["OBSERVER"] for power in POWERS)
    assert all(mark("master", power) in told["MODERATOR"] for power in POWERS)
    assert mark("watcher", "OBSERVER") in told["FRANCE"]
    assert mark("draft", "FRANCE") in told["FRANCE"]
    assert mark("diary", "FRANCE") in told["FRANCE"]
    assert "zqhecnarf" in told["FRANCE"]
    leaks = [
        (reader, each)
        for reader in READERS
        for each, allowed in hidden.items()
        if reader not in allowed and each in told[reader]
    ]

    assert leaks == []


def test_unsigned_or_forged_press_does_not_reveal_its_writer(played: Table) -> None:
    for writer in POWERS:
        for kind in ("grey", "forged"):
            [letter] = [
                mail
                for mail in played.emails_to(address(after(writer, 2)), "letter")
                if mark(kind, writer) in mail.text
            ]
            told = f"{letter.subject}\n{letter.text}\n{letter.html}\n{letter.reply_to}"
            hidden = (writer, writer.capitalize(), address(writer), handle_of(played, writer))

            assert not [each for each in hidden if each in told]


class Crowd:
    """The people at the *table*, and what each of them writes."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.written = 0

    def take_seats(self) -> None:
        self.writes("OBSERVER", f"OBSERVE {GAME}")
        self.answers("OBSERVER", "YES")
        for power in POWERS:
            self.writes(power, f"JOIN {GAME} PREFER {power[0]}")
            self.answers(power, "YES")

    def plot(self) -> None:
        """Make each power order, change its mind, plan, vote, and write to its neighbor."""
        for power, (dropped, *orders) in CHANGED.items():
            said = [
                f"SET PASSWORD {mark('pass', power)}",
                f"SET HANDLE zqh{power[::-1].lower()}",
                *("SET MAILS DAILY",) * (power == POWERS[-1]),
                *("DIARY", mark("diary", power), "ENDDIARY"),
                f"{dropped} ({mark('remark', power)})",
            ]
            self.answers(power, "\n".join(said))
            said = [
                *orders,
                "WAIT" if power == POWERS[0] else "DRAW",  # All seven would end the game.
                *("PHASE S1903M", dropped, "PHASE F1901R", dropped),
                *self.press_of(power),
                *("-- ", mark("sign", power)),
            ]
            self.answers(power, "\n".join(said))
        said = [f"PRESS TO FRANCE\n{mark('watcher', 'OBSERVER')}\nENDPRESS"]
        self.answers("OBSERVER", "\n".join(said))

    def press_of(self, power: str) -> Iterator[str]:
        """Yield press of each kind; in gunboat the sender forgets to hide their name."""
        gunboat = self.table.game(GAME).house_rules.anonymous
        betrayal = f"Yours, {mark('name', power)} <{address(power)}>" if gunboat else ""
        kinds = {
            "press": f"PRESS TO {after(power)}",
            "grey": f"PRESS GREY TO {after(power, 2)}",
            "forged": f"PRESS TO {after(power, 2)} FROM {after(power, 3)}",
            "fake": f"PRESS TO {after(power)} FAKE BROADCAST",
            "postal": f"POSTAL PRESS TO {after(power)}",
            "all": "POSTAL PRESS",
            "master": "PRESS TO M",
            "watched": "PRESS TO O",
            "draft": "PREVIEW PRESS TO ALL",
        }
        for kind, line in kinds.items():
            yield from (line, mark(kind, power), betrayal, "ENDPRESS")

    def ask_everything(self) -> None:
        for reader in READERS:
            named = f"STATUS {GAME}\nLIST {GAME}\nSIGNON F{GAME} guess\nA Par H"
            self.writes(reader, f"{QUESTIONS}\n{named}")
        for power in POWERS:
            # Spelled as no mark is: the answer repeats the question.
            whys = f"WHY {CHANGED[power][1]}\nWHY f ank - bla\nA Par H\nF Mos-Zzz"
            lost = f"PRESS TO {power[0]}Q\n{mark('lost', power)}\nENDPRESS"
            self.answers(power, f"{QUESTIONS}\n{whys}\n{lost}")
        self.writes("STRANGER", f"JOIN {GAME}\nJOIN {GAME} FRANCE\nRESIGN {GAME}")
        self.writes("STRANGER", f"PRESS TO ALL\n{mark('lost', 'STRANGER')}\nENDPRESS")
        self.answers("STRANGER", "YES")

    def writes(self, reader: str, text: str) -> None:
        sender = f"{mark('name', reader)} <{address(reader)}>"
        self.table.mail(sender, text, envelope=address(reader), Message_ID=self.message_id(reader))

    def answers(self, reader: str, text: str) -> None:
        latest = self.latest(reader)
        if latest:
            sender = f"{mark('name', reader)} <{address(reader)}>"
            self.table.reply(
                latest,
                text,
                sender,
                envelope=address(reader),
                Message_ID=self.message_id(reader),
            )

    def message_id(self, reader: str) -> str:
        """Return what the mail program of *reader* calls their next email."""
        self.written += 1
        return f"<{mark('id', reader)}.{self.written}@players.example>"

    def latest(self, reader: str) -> Mail | None:
        mails = [mail for mail in self.table.emails_to(address(reader)) if mail.kind != "letter"]
        latest = [mail for mail in mails if f":{GAME} - " in mail.subject] or mails
        return latest[-1] if latest else None


def marks(table: Table) -> Mapping[str, frozenset[str]]:
    """Return every mark and secret of the game with those who may know it."""
    allowed: dict[str, frozenset[str]] = {}
    for owner in READERS:
        alone = frozenset({owner})
        for kind in ("addr", "name", "sign", "lost", "id", "draft", "diary", "remark"):
            allowed[mark(kind, owner)] = alone
        allowed[mark("pass", owner)] = frozenset()
        allowed.update(dict.fromkeys(tokens_of(table, owner), alone))
    allowed |= {address(each): frozenset({each}) for each in READERS if each not in POWERS}
    allowed[mark("watcher", "OBSERVER")] = frozenset({"OBSERVER", "FRANCE"})
    blind = table.game(GAME).house_rules.blind
    if table.game(GAME).house_rules.anonymous:
        for power in POWERS:
            allowed[handle_of(table, power)] = frozenset({power, "MODERATOR"})
    for power, (dropped, *orders) in CHANGED.items():
        alone = frozenset({power})
        allowed |= marks_of_press(power)
        allowed.update(dict.fromkeys(spelled(dropped), alone))
        for order in orders if blind else ():
            if " H" not in order:
                allowed.update(dict.fromkeys(spelled(order), alone | {"MODERATOR"}))
    return allowed


def marks_of_press(writer: str) -> Mapping[str, frozenset[str]]:
    """Return the marks in what *writer* writes to others, with those who may know them."""
    readers = {
        **{key: {after(writer)} for key in ("press", "fake", "postal")},
        **{key: {after(writer, 2)} for key in ("grey", "forged")},
        "all": {*POWERS, "OBSERVER"},
        "master": {"MODERATOR"},
        "watched": {"OBSERVER"},
    }
    return {mark(kind, writer): frozenset({writer, *those}) for kind, those in readers.items()}


def after(power: str, places: int = 1) -> str:
    """Return who sits so many *places* from *power*."""
    return POWERS[(POWERS.index(power) + places) % len(POWERS)]


def handle_of(table: Table, power: str) -> str:
    """Return the handle of the player of *power*."""
    seat = table.game(GAME).seats[power]
    handles = dict(table.query("SELECT id, handle FROM people"))
    return str(handles[seat.person])


def spelled(order: str) -> Iterator[str]:
    """Yield *order* as programs write it and as the rulebook does."""
    kind, origin, _, target = order.split()
    yield order
    yield f"{kind} {origin.capitalize()}-{target.capitalize()}"


def tokens_of(table: Table, reader: str) -> set[str]:
    """Return the addresses that speak for *reader*."""
    replies = {mail.reply_to for mail in table.emails_to(address(reader))}
    return {token for each in replies if (token := token_of(each, JUDGE, "+"))}


def mails_by_reader(table: Table) -> Mapping[str, str]:
    """Return all that each reader got: headers, texts, markup and names of what is attached."""
    readers = {address(reader): reader for reader in READERS}
    told: dict[str, list[str]] = defaultdict(list)
    for number, stored in table.query("SELECT id, raw FROM outbox ORDER BY id"):
        raw = stored or table.held_back(number)
        message = message_from_bytes(raw, policy=default)
        assert isinstance(message, EmailMessage)
        told[readers[str(message["To"])]].extend((*_said(message), _painted(raw)))
    return {reader: "\n".join(texts) for reader, texts in told.items()}


def _said(message: EmailMessage) -> Iterator[str]:
    yield from (f"{name}: {value}" for name, value in message.items())
    for part in message.walk():
        yield str(part.get_filename() or "")
        if part.get_content_maintype() == "text":
            yield str(part.get_content())
        elif not part.is_multipart():
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            yield content.decode(errors="replace")


def _painted(raw: bytes) -> str:
    """Return what the pictures of an email will be painted from."""
    return "\n".join(zlib.decompress(recipe).decode() for recipe in recipes_of(raw))
