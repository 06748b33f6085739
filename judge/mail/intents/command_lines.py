"""The command lines of wishes, filled with what the email says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from judge.mail.intents.known import Known
from judge.mail.intents.wish_files import Role, Wish

SLOT = re.compile(r"\{(\w+)\}")
MAY_BE_MISSING = re.compile(r"\[([^\]]*)\]")
CLOCK = re.compile(
    r"\b([01]?\d|2[0-3])(?::([0-5]\d)| ?(?:uhr|h|o'clock)\b| ?(am|pm)\b)", re.IGNORECASE
)
CALLED = re.compile(  # `Please call me Anna`
    r"\b(?:(?:name|handle|nickname|spielername|spitzname|pseudo|surnom|nom)"
    r"(?:'s| is| to| should be| ist| soll| est| doit \xeatre)|called|known as|hei\xdfe|nennt? mich"
    r"|(?:call|rename|list|show|see) me(?: as| to)?|m'appell?er?|appelez-moi|renommez-moi)"
    r"(?: bitte| please)? ((?-i:[A-Z][A-Za-z0-9_-]{2,19}))\b",
    re.IGNORECASE,
)
LIVES = re.compile(  # `My time zone is Berlin`, `I live in New York`
    r"\b(?:zone is|zone ist|fuseau est|in|from|\xe0|aus|heures? de) ([A-Z]\w+(?: [A-Z]\w+)?)"
)
UNTIL = re.compile(
    r"\b(?:until|til|till|by|before|back|bis|zur\xfcck|wieder|jusqu\w*|retour)\b", re.IGNORECASE
)
BETWEEN = " | "
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NOON, HOURS_OF_HALF_DAY = "pm", 12
HOURS_OF_DAY = 24
# What a question about the rules says, and the topic of HELP that answers it.
TOPICS = (
    ("CONVOY", re.compile(r"convo[yi]|konvoi|\xfcber(?:s|zu)setz|transport", re.IGNORECASE)),
    ("SUPPORT", re.compile(r"support|unterst\xfctz|souten|soutien", re.IGNORECASE)),
    ("RETREAT", re.compile(r"retreat|r\xfcckzug|zur\xfcckzieh|retraite|repli", re.IGNORECASE)),
    ("BUILD", re.compile(r"\bbuil[dt]|\b(?:auf)?bau|constru", re.IGNORECASE)),
    (
        "MOVE",
        re.compile(
            r"fleet|coast|flotte|k\xfcste|c\xf4te|\bmove|\bfahren|swap|places", re.IGNORECASE
        ),
    ),
)
# What a wish for other emails says, and which of its commands is meant.
MAILS = (
    (
        "SET MAILS DAILY",
        re.compile(
            r"dai?ly|day|digest|summary|once|tag|t\xe4glich|zusammen|jour|r\xe9sum", re.IGNORECASE
        ),
    ),
    (
        "SET MAILS CRITICAL",
        re.compile(
            r"\bonly|\bjust|results?|deadlines?|\bnur\b|blo\xdf|ergebnis|termine"
            r"|seulement|uniquement|\bque les\b|r\xe9sultats?",
            re.IGNORECASE,
        ),
    ),
    ("SET MAILS TEXT", re.compile(r"text|picture|image|pics|bild|html|\bplain", re.IGNORECASE)),
)


def commands_of(
    wish: Wish, sentence: str, slots: Mapping[str, str], known: Known
) -> tuple[str, ...]:
    """Return the command lines that *wish* means, or among which its writer chooses."""
    lines = wish.command
    if known.role is Role.MODERATOR and wish.moderator:
        lines = wish.moderator
    written = _slots(sentence, slots, known)
    if known.joined and wish.joined and filled_line(wish.joined, written):
        lines = wish.joined
    choices = lines.split(BETWEEN)
    if meant := [line for line, words in MAILS if line in choices and words.search(sentence)]:
        choices = meant[:1]
    filled = [filled_line(line, written) for line in choices]
    if None in filled:
        return (wish.without,) if wish.without else ()
    return tuple(each for each in filled if each)


def filled_line(line: str, slots: Mapping[str, str]) -> str | None:
    """Return *line* with *slots* filled in; None if one is missing."""

    def filled(part: str) -> str | None:
        if any(name not in slots for name in SLOT.findall(part)):
            return None
        return SLOT.sub(lambda found: slots[found[1]], part)

    return filled(MAY_BE_MISSING.sub(lambda found: filled(found[1]) or "", line))


def _slots(sentence: str, slots: Mapping[str, str], known: Known) -> Mapping[str, str]:
    """Return *slots* as command lines write them."""
    return {**slots, **dict(_said(sentence)), **dict(_written(sentence, slots, known))}


def _said(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield what *sentence* says by its form."""
    yield "topic", next((name for name, words in TOPICS if words.search(sentence)), "TERMS")
    if called := CALLED.search(sentence.replace("\u2019", "'")):
        yield "text", called[1]
    if lives := LIVES.search(sentence):
        yield "zone", lives[1].replace(" ", "_")


def _written(sentence: str, slots: Mapping[str, str], known: Known) -> Iterator[tuple[str, str]]:
    if known.asked:
        yield "asked", known.asked
    if language := slots.get("language"):
        yield "language", language.upper()
    if clock := CLOCK.search(sentence):
        hour = int(clock[1]) % HOURS_OF_HALF_DAY if clock[3] else int(clock[1])
        hour += HOURS_OF_HALF_DAY if (clock[3] or "").casefold() == NOON else 0
        yield "clock", f"{hour:02}:{clock[2] or '00'}"
    until = slots.get("to")
    hours = int(slots.get("time", 0))
    last = date.fromisoformat(until) if until else None
    if last:
        yield "date", day_written(last, known.today)
    if last is None and hours >= HOURS_OF_DAY:
        last = known.today + timedelta(hours=hours)
    late = (last - known.deadline).days if last and known.deadline else 0
    if not hours and late > 0:  # more time, until that day
        yield "time", str(late * HOURS_OF_DAY)
    if last:
        first = date.fromisoformat(slots["from"]) if "from" in slots else min(known.today, last)
        if "from" not in slots and until and hours >= HOURS_OF_DAY and not UNTIL.search(sentence):
            first, last = last, last + timedelta(hours=hours)
        yield "from", day_written(first, known.today)
        yield "to", day_written(last, known.today)


def day_written(day: date, today: date) -> str:
    """Return *day* as commands take it; the year only if it is not plain."""
    written = f"{day.day} {MONTHS[day.month - 1]}"
    near = timedelta(0) <= day - today < timedelta(days=180)
    return written if near else f"{written} {day.year}"
