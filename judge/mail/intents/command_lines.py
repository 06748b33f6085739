"""The command lines of wishes, filled with what the email says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from judge.mail.intents.dates import find_times, time_of_day
from judge.mail.intents.features import plain, words_of
from judge.mail.intents.known import Known, powers_in, unwanted_in
from judge.mail.intents.reading import Reading
from judge.mail.intents.wish_files import Effect, Role, Wish
from judge.mail.language.phase_names import phase_named
from judge.mail.reader.phase_hints import phase_in_subject

SLOT = re.compile(r"\{(\w+)\}")
MAY_BE_MISSING = re.compile(r"\[([^\]]*)\]")
NAME = re.compile(r"(\w+)(?=\W{1,3}([A-Z][\w-]+(?: [A-Z]\w+)?))")  # and the word before it
BETWEEN = " | "
DIGIT = re.compile(r"\d")
WATCHING = ("observe", "unobserve")
ELSEWHERE = re.compile(  # after a time of day: `21h heure de Paris`
    r"\b(?:heure d[eu'] ?|(?:time|zeit) (?:in|von) )([A-Z]\w+)|\b([A-Z]\w+) (?:local )?time\b"
)
FROM_NOW = re.compile(
    r"\bfrom now\b|\b(?:ab|von) jetzt\b|\b(?:a partir de|des) maintenant\b"
    r"|\b(?:deadline|frist|termin|echeance)\b.{0,20}\b(?:in|dans) (?=\d|half|ein|une)"
)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
HOURS_OF_DAY, DAYS_OF_WEEK = 24, 7


def commands_of(wish: Wish, reading: Reading, known: Known) -> tuple[str, ...]:
    """Return the command lines that *wish* means, or among which its writer chooses."""
    sentence, slots = reading.sentence, reading.slots
    lines = wish.command
    if wish.name == "draw" and "power" in slots and not known.draws_with:
        lines = f"{lines}{BETWEEN}HELP DRAW"  # It would be one of all survivors.
    if known.role is Role.MODERATOR and wish.moderator:
        lines = wish.moderator
    said = words_of(sentence)
    begins = not _says(said, wish.words.get("until", ()))
    if slots.get("power") in unwanted_in(slots):
        slots = {name: value for name, value in slots.items() if name != "power"}
    slots = {**slots, **(_names_in(wish, sentence) or _names_in(wish, reading.email))}
    if known.watched and wish.name in WATCHING:
        slots = {"game": known.watched, **slots}
    later = _says(said, wish.words.get("later", ())) and not DIGIT.search(sentence)
    written = {**slots, **dict(_written(sentence, slots, known, begins=begins, later=later))}
    written |= dict(_several_powers(slots, known))
    if known.role is Role.STRANGER and wish.stranger and "game" not in slots:
        lines = wish.stranger
    if known.joined and wish.joined and filled_line(wish.joined, written):
        lines = wish.joined
    choices = lines.split(BETWEEN)
    meant = [line for line in choices if _says(said, wish.words.get(line, ()))]
    meant = meant or [line for line in choices if wish.words and line not in wish.words]
    if not meant and len(choices) > 1 and wish.without:
        meant = [wish.without]
    choices = (meant if wish.effect is Effect.CHANGE else meant[:1]) or choices
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


def _says(said: Sequence[str], stems: tuple[str, ...]) -> bool:
    """Return whether one of the words *said* begins like one of *stems*."""
    return any(word.startswith(stems) for word in said)


def _names_in(wish: Wish, sentence: str) -> Mapping[str, str]:
    """Return the names in *sentence* that stand in place of slots: `Please call me Anna`."""
    return {
        slot: name.replace(" ", "_" if slot == "zone" else "-")
        for slot, words in wish.before.items()
        for before, name in reversed(NAME.findall(sentence))
        if plain(before) in words
    }


def _written(
    sentence: str, slots: Mapping[str, str], known: Known, *, begins: bool, later: bool
) -> Iterator[tuple[str, str]]:
    """Yield *slots* as command lines write them; a span of time *begins* at its date, or ends.

    A day of the week that is *later* comes after the deadline.
    """
    if known.asked:
        yield "asked", known.asked
    if language := slots.get("language"):
        yield "language", language.upper()
    yield from _time_written(sentence, known)
    until = slots.get("to")
    length = slots.get("time", "")  # in hours, or `10m`
    hours = int(length) if length.isdecimal() else 0
    if length and not until and known.role is Role.MODERATOR:
        start = "in " if FROM_NOW.search(plain(sentence)) else "+"
        yield "date", f"{start}{length}{'h' if hours else ''}"
    last = date.fromisoformat(until) if until else None
    last = _next_week(last, known) if last and later else last
    if last:
        yield "date", day_written(last, known.today)
    if last is None and hours >= HOURS_OF_DAY:
        last = known.today + timedelta(hours=hours)
    late = (last - known.deadline).days if last and known.deadline else 0
    if length or late > 0:  # more time, perhaps until that day
        yield "more", length or str(late * HOURS_OF_DAY)
    if last:
        first = date.fromisoformat(slots["from"]) if "from" in slots else min(known.today, last)
        if "from" not in slots and until and begins:  # from that day on, or only then
            first, last = last, last + timedelta(hours=hours)
        if DAYS_OF_WEEK > (first - last).days > 0:  # Monday to Sunday, written before that Sunday
            last += timedelta(days=DAYS_OF_WEEK)
        yield "from", day_written(first, known.today)
        yield "to", day_written(last, known.today)


def _next_week(day: date, known: Known) -> date:
    """Return *day*, or the same day of the next week if it is not later than the deadline."""
    is_later = known.deadline is None or day > known.deadline
    return day if is_later else day + timedelta(days=DAYS_OF_WEEK)


def _time_written(sentence: str, known: Known) -> Iterator[tuple[str, str]]:
    """Yield the time of day that *sentence* names, with its zone, and the first phase and its."""
    today = any(each.first == known.today for each in find_times(sentence, known.today))
    if clock := time_of_day(sentence, today=today):
        zone = ELSEWHERE.search(sentence)
        yield "hour", (time := f"{clock:%H:%M}")
        yield "clock", f"{time} {zone[1] or zone[2]}" if zone else time
    yield "start", known.board.start.phase.code
    for code in phase_in_subject(sentence, known.board):
        whole = f"{code}{'A' if code[0] == 'W' else 'M'}" if code[-1].isdigit() else code
        if phase_named([whole], known.board):  # and not two seasons
            yield "phase", whole


def _several_powers(slots: Mapping[str, str], known: Known) -> Iterator[tuple[str, str]]:
    """Yield the powers that share a draw, and those that are liked less than the first."""
    unwanted = unwanted_in(slots)
    powers = dict.fromkeys(each for each in powers_in(slots) if each not in unwanted)
    if known.draws_with and powers:
        yield "among", ", ".join(dict.fromkeys((known.draws_with, *powers)))
    players, nations = known.board.players, known.board.nations
    unwanted &= {*players}
    others = [nations[each].letter for each in players if each not in {*powers, *unwanted}]
    liked = [*powers][1:] + ([f"[{''.join(others)}]"] if unwanted and others else [])
    if liked:
        yield ("power" if known.joined and not powers else "preferred"), ", ".join(liked)


def day_written(day: date, today: date) -> str:
    """Return *day* as commands take it; the year only if it is not plain."""
    written = f"{day.day} {MONTHS[day.month - 1]}"
    near = timedelta(0) <= day - today < timedelta(days=180)
    return written if near else f"{written} {day.year}"
