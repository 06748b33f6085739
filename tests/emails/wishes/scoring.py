"""Score what the judge makes of labelled emails: `python -m tests.emails.wishes.scoring`.

The emails in `emails.toml` are never used for training. Each names its writer's role and language,
the wishes that it expresses, and slots of the first.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from email.message import EmailMessage
from functools import cache
from pathlib import Path

from judge.adapters.variant_files import load_map
from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.intents import installed
from judge.mail.intents.known import Known
from judge.mail.intents.reading import Reading, Verdict, read_wishes
from judge.mail.intents.sentences import sentences_in
from judge.mail.intents.weights import Weights
from judge.mail.intents.wish_files import Effect, Role
from judge.rules.board import DEFAULT_VARIANT

FILES = tuple(map(Path(__file__).with_name, ("emails.toml", "voices.toml")))
TODAY = date(2026, 11, 28)  # of these emails
GAMES = frozenset({"alpha", "baltic", "dogger"})
SLOT_NAMES = {"hours": "time", "until": "to", "province": "place"}
VOTES = {"vote_yes", "vote_no"}


@dataclass(frozen=True, slots=True)
class Labelled:
    """An email, and the wishes that its writer has."""

    who: Role
    language: str
    want: tuple[str, ...]
    slots: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Scored:
    """The readings of an email."""

    email: Labelled
    readings: tuple[Reading, ...]

    def named(self, *verdicts: Verdict) -> frozenset[str]:
        """Return the wishes that are acted on, or that the writer can choose."""
        return frozenset(
            name for each in self.readings if each.verdict in verdicts for name in each.wishes
        )

    @property
    def acted_on(self) -> frozenset[str]:
        return self.named(Verdict.ACT)

    def outcome(self, wish: str) -> str:
        """Return what became of a *wish*: acted on, offered, asked or missed."""
        for verdict in Verdict:
            if wish in self.named(verdict):
                return verdict.value
        return "missed"

    def wrong(self, effect: Effect) -> frozenset[str]:
        """Return the wishes with that *effect* that were acted on, and that nobody had."""
        wishes = weights().wishes
        return frozenset(
            name
            for name in self.acted_on.difference(self.email.want)
            if wishes[name].effect is effect
        )


def labelled() -> Iterator[Labelled]:
    for file in FILES:
        for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
            yield Labelled(
                Role(case["who"]),
                case["language"],
                tuple(case["want"]),
                case.get("slots", {}),
                case["text"],
            )


@cache
def weights() -> Weights:
    found = installed.weights()
    assert found, "the installation has made the weights"
    return found


def score(email: Labelled) -> Scored:
    """Read *email* as the judge does: it answers a proposal if it votes, and is back if away."""
    board = load_map(DEFAULT_VARIANT)
    wanted = set(email.want)
    known = Known(
        role=email.who,
        board=board,
        games=GAMES,
        today=TODAY,
        closed=frozenset({"back"} - wanted),
        likely=frozenset({"back"} & wanted),
        answers_proposal=bool(VOTES & wanted),
    )
    sentences = sentences_in(_new_text(email.text))
    return Scored(email, read_wishes(sentences, known, weights()))


def _new_text(text: str) -> list[str]:
    message = EmailMessage()
    message["From"] = "somebody@players.example"
    message.set_content(text)
    opened = open_mail(message.as_bytes())
    assert isinstance(opened, OpenedEmail)
    return [line.text for line in opened.text.fresh]


def slots_right(scored: Scored) -> Iterator[tuple[str, bool]]:
    """Yield each labelled slot of an email whose first wish was found, and whether it is right."""
    for reading in scored.readings:
        if scored.email.want and reading.wishes[0] == scored.email.want[0]:
            for name, value in scored.email.slots.items():
                yield name, reading.slots.get(SLOT_NAMES.get(name, name)) == value


def main() -> None:
    """Print the score by language and by role, and each email that was not understood."""
    shares: dict[str, Counter[str]] = {}
    for scored in map(score, labelled()):
        email = scored.email
        for wish in email.want:
            outcome = scored.outcome(wish)
            for key in (email.language, email.who.value, "all"):
                shares.setdefault(key, Counter())[outcome] += 1
            if outcome == "missed":
                print(f"missed {wish}: {email.text!r}")
        for effect in Effect:
            for wish in scored.wrong(effect):
                print(f"WRONG {effect.value} {wish}: {email.text!r}")
        if not email.want:
            found = next((each.verdict.value for each in scored.readings), "nothing")
            shares.setdefault("no wish", Counter())[found] += 1
    for key, counted in shares.items():
        print(f"{key:10}", dict(counted), file=sys.stdout)


if __name__ == "__main__":
    main()
