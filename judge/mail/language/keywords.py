"""What a question in an email is about, by its keyword: `How do I propose a draw?`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import MappingProxyType

from judge.mail.phrases import listed

SENTENCES = re.compile(r"(?<=[.!?])\s+")
LINE_MAX = 300  # characters; a longer paragraph asks several things
TOPICS_MAX = 2
# By the topic of HELP; the first that is found counts, so the particular stand before the general.
_WORDS = {
    "unsubscribe": """
        unsubscribe | unsubscribing | opt out | too many emails | too many mails | fewer emails
        fewer mails | abmelden | abbestellen | weniger mails | zu viele mails
        désabonner | désinscrire | moins de courriels | trop de courriels
    """,
    "draw": "draw | draws | stalemate | tie | remis | unentschieden | match nul | nulle",
    "concede": "concede | conceding | concession | surrender | aufgeben | kapitulieren | concéder",
    "extension": """
        extension | extend | extended | more time | postpone | delay | verlängern | verlängerung
        mehr zeit | verschieben | aufschub | prolonger | prolongation | plus de temps | reporter
    """,
    "deadline": """
        deadline | deadlines | due | too late | how long | termin | termine | abgabe | frist
        échéance | échéances | date limite | délai
    """,
    "map": "map | maps | board | picture | karte | brett | spielplan | carte | plateau",
    "press": """
        press | message to | messages to | letter to | write to | talk to | broadcast | presse
        brief an | schreiben an | nachricht an | lettre à | écrire à | message à
    """,
    "resign": """
        resign | resigning | quit | quitting | leave the game | drop out | stop playing
        aussteigen | aufhören | ausscheiden | partie verlassen | démissionner | abandonner
        quitter
    """,
    "language": """
        language | languages | german | french | english | sprache | deutsch | französisch
        englisch | langue | allemand | français | anglais
    """,
    "moderator": """
        moderator | moderators | gm | gamemaster | game master | human | spielleiter
        spielleiterin | spielleitung | arbitre | modérateur | modératrice
    """,
    "rules": """
        rules | rule | rulebook | house rules | how to play | regeln | regel | regelwerk
        spielregeln | règles | règle | règlement
    """,
    "help": "help | how does it work | how does this work | hilfe | helfen | aide | aider",
}
TOPICS = MappingProxyType(
    {
        topic: re.compile(
            rf"(?<!\w)(?:{'|'.join(map(re.escape, listed(words)))})(?!\w)", re.IGNORECASE
        )
        for topic, words in _WORDS.items()
    }
)
ASKING = re.compile(
    r"\W*(?:how|what|when|where|who|why|which|can|could|may|wie|was|wann|wo|wer|warum|kann|könnte"
    r"|comment|que|quoi|quand|où|qui|pourquoi|quel\w*|est-ce|puis-je|peut-on)\b(?:\W+\w+){2}",
    re.IGNORECASE,
)


def topics_asked(lines: Iterable[str], *, alone: bool) -> Sequence[str]:
    """Return what the questions in *lines* are about, the first ones only.

    If they are *alone* in their email, any sentence that has a keyword asks about it.
    """
    found = dict[str, None]()
    for line in lines:
        for sentence in SENTENCES.split(line) if len(line) <= LINE_MAX else ():
            topic = topic_in(sentence) if alone or is_question(sentence) else None
            if topic:
                found[topic] = None
    return tuple(found)[:TOPICS_MAX]


def topic_in(sentence: str) -> str | None:
    """Return the topic of the first keyword in *sentence*."""
    return next((topic for topic, words in TOPICS.items() if words.search(sentence)), None)


def is_question(line: str) -> bool:
    """Return whether *line* asks something, or asks for it."""
    told = line.replace("\u2019", "'").rstrip(" *_\"'")
    return told.endswith("?") or ASKING.match(told) is not None
