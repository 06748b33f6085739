"""The answer to HELP: topics, and the other words that people ask for them by."""

from __future__ import annotations

from dataclasses import dataclass

from judge.notation.terms import closest_matches
from judge.reports.emails.heading import Heading
from judge.resources import folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    """What can be said to the judge, or about one command."""

    heading: Heading
    topic: str
    asked: str | None


OVERVIEW = "overview"
LEADING_WORDS = frozenset(
    {"set", "add", "remove", "new", "no", "not", "use"}
)  # before another word
SIMILARITY_MIN = 0.8  # a slip in five letters
TOPICS = tuple(
    sorted(path.stem for path in (folder("templates") / "help").iterdir() if path.stem != OVERVIEW)
)
# What else they are asked for by, by files of other judges and by words of the game.
ALIASES = {
    alias: topic
    for topic, words in {
        "absent": "absence absences holiday vacation",
        "address": "add",
        "build": "builds remove removal removals waive adjust adjustment adjustments disband",
        "convoy": "convoys fleets",
        "create": "settings template",
        "deadline": "deadlines late nmr grace time",
        "concede": "conc noconcede",
        "draw": "nodraw draws dias vote propose proposal proposals",
        "history": "results",
        "diary": "diaries notes",
        "language": "languages deutsch german francais french english",
        "list": "games",
        "mails": "unsubscribe digest broadcasts",
        "moderator": "master gm moderators process eject terminate admit seat dummy promote become"
        " force begin branch refuse revive allow comment official reveal unstart rollforward"
        " correct",
        "map": "maps board boards picture pictures",
        "move": "moves movement hold holds coast coasts",
        "observe": "observer observers unobserve watch",
        "orders": "order syntax commands form",
        "overview": "index info guide",
        "phase": "phases if conditions these use",
        "preview": "predict sandbox",
        "pause": "resume",
        "press": "broadcast endpress letters show hide postal grey white fake",
        "receipt": "receipts commitment nonce",
        "retreat": "retreats dislodged otb",
        "extension": "grant deny",
        "join": "takeover register yes no",
        "rules": "rule house variants",
        "standby": "waiting queue offer offers",
        "tokens": "new token",
        "statement": "statements eog",
        "support": "supports cut",
        "wait": "nowait",
        "ready": "noready notready unready",
        "whogame": "who whois players",
        "handle": "name names nickname handles",
        "zone": "timezone zones",
    }.items()
    for alias in words.split()
} | dict.fromkeys(
    (
        *("set rule", "set rules", "set deadline", "set grace", "set game password"),
        *("set comment", "set move", "set retreat", "set adjust", "deny player"),
    ),
    "moderator",
)


def help_page(topic: str | None, *, judge_code: str) -> Help:
    """Answer HELP; what is no topic, and nearly none, gets the overview."""
    known = _topic_asked_for(topic.lower()) if topic else OVERVIEW
    return Help(
        heading=Heading(judge_code),
        topic=known or OVERVIEW,
        asked=None if known else topic,
    )


def _topic_asked_for(asked: str) -> str | None:
    """Return the topic that is *asked* for: by the whole of it, or one of its words."""
    words = asked.split()
    if words[0].isdigit():
        return "moderator"  # who answers decisions by number
    ends = (words[-1], words[0]) if words[0] in LEADING_WORDS else (words[0], words[-1])
    for each in (asked, *ends):
        if each in TOPICS:
            return each
        if each in ALIASES:
            return ALIASES[each]
    near = closest_matches(asked, TOPICS)
    return near[0][1] if near and near[0][0] >= SIMILARITY_MIN else None
