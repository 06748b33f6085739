"""Send emails with wishes to a judge, each in the state of its game.

Their authors had seen neither the judge nor its examples.
`python -m tests.emails.wishes.whole_path` prints the answers to those whose writers do not get
what they want.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.table import MODERATOR, MONDAY, POWERS, Mail, Table, address_of

FILES = tuple(Path(__file__).with_name(f"{name}.toml") for name in ("fresh", "everyday", "unseen"))
GRADED = (Path(__file__).with_name("graded.toml"),)
OPEN_BESIDE = ("amber", "baltic")  # games of emails whose writers know others, too
WATCHER, NEWCOMER = "watcher@new.example", "newcomer@new.example"
MOVES = {
    "AUSTRIA": "A Vie-Gal\nA Bud-Ser\nF Tri H",
    "ENGLAND": "F Lon-ENG\nF Edi-NTH\nA Lvp-Yor",
    "FRANCE": "A Par-Bur\nA Mar-Spa\nF Bre-MAO",
    "GERMANY": "A Mun-Bur\nA Ber-Kie\nF Kie-Den",
    "ITALY": "A Ven-Tri\nA Rom-Apu\nF Nap-ION",
    "RUSSIA": "F Sev-BLA\nA Mos-Ukr\nA War-Gal\nF StP/SC-BOT",
    "TURKEY": "A Con-Bul\nA Smy-Con\nF Ank-BLA",
}


@dataclass(frozen=True)
class Fresh:
    """An email by *who* in a *scene* of *game*; in a good answer stands one text of *says*.

    If *says* is empty, its writer wants nothing from the judge.
    """

    number: int
    who: str
    language: str
    scene: str
    game: str
    power: str
    day: datetime
    subject: str
    text: str
    says: tuple[str, ...]

    @property
    def address(self) -> str:
        match self.who:
            case "stranger":
                return NEWCOMER
            case "observer":
                return WATCHER
            case "moderator":
                return MODERATOR
            case _:
                return address_of(self.power)


def emails(files: Sequence[Path] = FILES) -> list[Fresh]:
    return [
        Fresh(
            number,
            each["who"],
            each["language"],
            each.get("scene", "begun"),
            each.get("game", "donau" if each["language"] == "de" else "sarajevo"),
            each.get("power", "FRANCE"),
            datetime.fromisoformat(each["day"]).replace(tzinfo=UTC) if "day" in each else MONDAY,
            each["subject"],
            each["text"],
            tuple([says] if isinstance(says := each.get("says", []), str) else says),
        )
        for number, each in enumerate(
            each for file in files for each in tomllib.loads(file.read_text("utf-8"))["email"]
        )
    ]


def answers(files: Sequence[Path] = FILES) -> Iterator[tuple[Fresh, str]]:
    """Yield each email of *files* with all that its writer gets for it."""
    with TemporaryDirectory() as made:
        for email in emails(files):
            yield email, _answer(Path(made), email)


def is_met(email: Fresh, answer: str) -> bool:
    return not email.says or any(each in answer for each in email.says)


def _answer(made: Path, email: Fresh) -> str:
    scene = made / f"{email.scene} {email.game} {email.who} {email.day.date()}"
    if not scene.exists():
        scene.mkdir()
        _prepare(scene, email)
    folder = made / str(email.number)
    folder.mkdir()
    shutil.copy(scene / "judge.db", folder / "judge.db")
    table = Table(folder, seed=f"{email.number}")
    table.clock.time = datetime.fromisoformat((scene / "time").read_text())
    if email.scene == "ordered":
        units = table.game(email.game).position
        assert units, "it has begun"
        held = (f"{unit} H" for unit in units.units_of(email.power))
        table.send(email.power, "\n".join(held), email.game)
    before = table.emails_to(email.address)
    got = table.mail(email.address, email.text, subject=email.subject, **_thread(before, email))
    table.close()
    shutil.rmtree(folder)
    return " ".join(each.words for each in got if each.recipient == email.address)


def _thread(before: Sequence[Mail], email: Fresh) -> dict[str, str]:
    """Return what makes the email an answer to the latest that its writer got."""
    if email.who == "stranger":
        return {}
    latest = before[-1]
    return {"to": latest.reply_to, "In_Reply_To": latest.message_id}


def _prepare(folder: Path, email: Fresh) -> None:
    table, game = Table(folder), email.game
    table.clock.time = email.day
    for name in ("amber", "baltic", "fogwar") if game in OPEN_BESIDE else ("amber",):
        if name != game:
            table.open(name)
    moderator = MODERATOR if email.who == "moderator" else None
    if email.scene == "forming":
        table.open(game, "start=by_hand", moderator=moderator)
        for power in POWERS:
            table.join(game, power)
    else:
        table.start(game, moderator=moderator)
    if email.who == "observer":
        table.confirm(*table.mail(WATCHER, f"OBSERVE {game}"))
    _play(table, email)
    table.render()
    (folder / "time").write_text(table.clock.time.isoformat())
    table.close()


def _play(table: Table, email: Fresh) -> None:  # noqa: C901, PLR0912 - one for each scene
    game = email.game
    match email.scene:
        case "begun" | "forming":
            pass
        case "played" | "ordered":
            for power, orders in MOVES.items():
                table.send(power, orders, game)
            table.pass_time(hours=8 * 24)
        case "absent":
            table.send(email.power, "ABSENT 25 Nov TO 5 Dec", game)
        case "paused":
            if email.who == "moderator":
                table.reply(table.emails_to(MODERATOR)[-1], "PAUSE")
            else:
                for power in POWERS:
                    table.send(power, "VOTE PAUSE", game)
        case "vacant":
            *_, question = table.reply(table.latest("AUSTRIA", game), "RESIGN")
            table.confirm(question)
        case "draw proposed":
            table.send("TURKEY", "PROPOSE DRAW", game)
        case "pause proposed":
            table.send("TURKEY", "VOTE PAUSE", game)
        case "over":
            for power in POWERS:
                table.send(power, "SET DRAW", game)
        case other:
            raise AssertionError(other)


if __name__ == "__main__":
    for fresh, told in answers(FILES + GRADED):
        if not is_met(fresh, told):
            sys.stdout.write(f"\n{fresh.number} wants {fresh.says!r}: {fresh.text}\n    {told}\n")
