"""The CREATE line for a wish for a new game in plain words, with what they say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice

from judge.app.commands.context import MailContext
from judge.app.commands.rules import GAME_NAME_MAX, Create, free_name, requested_game
from judge.app.ports.judge import Judge
from judge.game.house_rules import HOUR, MINUTE, write_duration
from judge.mail.body import Line
from judge.mail.intents.dates import find_times
from judge.mail.intents.features import plain
from judge.mail.intents.reading import Reading
from judge.reports.emails.receipts import RuleRefused
from judge.reports.languages import SOURCE
from judge.rules.board import DEFAULT_VARIANT

CREATING = "create_game"  # the wish
UNNAMED = "my-game"
NAME = re.compile(
    r"\b(?:call(?:ed| it)|(?<!my )(?<!mein )(?<!mon )"
    r"(?:name(?:d| it| is| should be| ist| soll|:| de[rs] (?:partie|spiels|runde))"
    r"|nom(?: ?:| (?:est|sera)| de la partie))|namens"
    r"|(?<=, )name|hei(?:ss|\xdf)en soll|(?:soll|muss)(?= \S+ hei(?:ss|\xdf)en)"
    r"|nenn(?:t|en (?:wir|sie))? (?:es|sie)|appel(?:\xe9e?|ons-la|ez-la|er|le)|nomm\xe9e?)"
    r"(?: (?:something like|so etwas wie|etwa|quelque chose comme))?"
    r"(?:[ :]{0,3}[\"\u201c\u201e\xab]\s?([^\"\u201c\u201d\xbb\n]{2,30}?)\s?[\"\u201c\u201d\xbb]"
    r"|\W+(?!(?:falsch|wrong|faux|not|nicht|pas|is|ist|est|it|es)\b)([a-z][a-z0-9-]{0,15})\b)",
    re.IGNORECASE,
)
AS_BOARD = r"(?:map|board|variant|karte|brett|variante|carte|plateau)"
EVERYDAY = frozenset(("world", "modern", "pure", "chaos", "empire", "hundred", "crowded"))
WORLD = re.compile(r"\b(?:weltkarte|carte du monde|map of the world)\b")
SETTINGS = (
    (r"fog|nebel|brouillard", "template=fog"),
    (r"gunboat|anonym\w*", "anonymous=yes"),
    (r"gunboat", "press=none"),
    (r"(?:no|without|ohne|sans|aucune|keine) (?:press|presse|messages)", "press=none"),
    (
        r"private|privee?|closed|geschlossene?n?|(?:my|meine|mes) (?:friends|freunde|amis)",
        "listed=no",
    ),
)
EVENING = re.compile(
    r"\b(?:this evening|tonight|one evening|heute abend|einem abend|ce soir|soiree)\b"
)
SHORT = r"\b(?:short|quick|fast|kurze?n?|schnelle?n?|courte?s?|rapides?)\b"
PACES = {  # hours of a move, by words
    24: re.compile(
        r"\b(?:daily|taglich\w*|quotidien\w*|(?:a|per|each|every|pro|am|jeden) (?:day|tag)"
        rf"|(?:par|chaque) jour)\b|{SHORT}"
    ),
    84: re.compile(r"\b(?:twice|two|2|zwei(?:mal)?|deux)\b.{0,20}\b(?:week|woche|semaine)\b"),
    168: re.compile(
        r"\b(?:weekly|wochentlich\w*|hebdomadaire\w*|(?:per|each|every|pro|jede|in der)"
        r" (?:week|woche)|(?:par|chaque) semaine)\b"
    ),
}
OTHER_TIME = re.compile(  # around a time that is no pace: `at 18 h`, `a break of two weeks`
    r"\b(?:a|at|by|um|bis|gegen|vers|avant|before|vor|twice|zweimal|deux fois) ?\|"
    r"|\b(?:pause|break|holidays?|ferien|urlaub|vacances)\b[^.|\n]{0,20}\|"
    r"|\|[^.\n]{0,5}\b(?:pause|break|holidays?|ferien|urlaub|vacances)\b"
)
RETREATS = re.compile(r"\b(?:retreat|build|ruckz|aufbau|retraite|ajustement)")
EVENING_MAX = 60  # minutes of a move


def create_line(context: MailContext, wish: str, reading: Reading) -> str | None:
    """Return the CREATE line for the *wish* for a game; None if the email says nothing of one."""
    judge, text = context.judge, reading.email or reading.sentence
    named, words = NAME.search(text), plain(text)
    if wish != CREATING:
        return None
    settings = list(dict.fromkeys(_settings(judge, words, text, context.now.date())))
    if not (named or settings):
        return None
    name = free_name(context, _written(named) if named else UNNAMED)
    line = " ".join((f"CREATE {name}", *settings))
    read = judge.commands.read(Line(0, line), judge.boards(DEFAULT_VARIANT), first=False)
    fits = isinstance(read, Create) and not isinstance(
        requested_game(judge, read, SOURCE), RuleRefused
    )
    return line if fits else None


def with_name_told(context: MailContext, line: str, text: str) -> str:
    """Return the offered CREATE *line* with the name, and the settings, that *text* tells."""
    named = NAME.search(text)
    if named is None or not line.startswith("CREATE "):
        return line
    _, _, *settings = line.split()
    told = _settings(context.judge, plain(text), text, context.now.date())
    given = {each.partition("=")[0] for each in settings}
    settings += (each for each in told if each.partition("=")[0] not in given)
    return " ".join(("CREATE", free_name(context, _written(named)), *settings))


def _written(named: re.Match[str]) -> str:
    """Return the name of a game as commands take it: `Coffee Machine` as `coffee-machine`."""
    words = "-".join(re.findall(r"[a-z0-9]+", plain(named[1] or named[2])))
    return words.lstrip("-0123456789")[:GAME_NAME_MAX].rstrip("-") or UNNAMED


def _settings(judge: Judge, words: str, text: str, today: date) -> Iterator[str]:
    spans = [
        each.minutes
        for each in find_times(text, today)
        if each.minutes
        and not OTHER_TIME.search(plain(f"{text[: each.start]}|{text[each.end :]}"))
    ]
    if EVENING.search(words) or (spans and spans[0] <= EVENING_MAX):
        yield "template=evening"
    if board := _board(judge, words):
        yield f"variant={board}"
    if spans:
        yield f"movement_hours={_hours(spans[0])}"
        if len(spans) > 1 and RETREATS.search(words):
            yield f"retreat_hours={_hours(spans[1])} adjustment_hours={_hours(spans[1])}"
    elif not EVENING.search(words):
        paces = (f"movement_hours={hours}" for hours, pace in PACES.items() if pace.search(words))
        yield from islice(paces, 1)
    yield from (each for pattern, each in SETTINGS if re.search(rf"\b(?:{pattern})\b", words))


def _hours(minutes: int) -> int | str:
    return write_duration(minutes * MINUTE, HOUR)


def _board(judge: Judge, words: str) -> str | None:
    """Return the board that is named; everyday words name one beside `map` or the like."""
    for name in sorted(judge.variants.names(), key=len, reverse=True):
        spelled = name.replace("-", "[- ]?")
        beside = rf"\b{spelled}\b[ -]{AS_BOARD}\b|\b{AS_BOARD} (?:called |named )?\W?{spelled}\b"
        pattern = beside if name in EVERYDAY or name.isdigit() else rf"\b{spelled}\b"
        if name != DEFAULT_VARIANT and re.search(pattern, words):
            return name
    return "world" if WORLD.search(words) else None
