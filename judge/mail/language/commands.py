"""One line becomes a command if the whole of it has the form of one; a sentence does not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from judge.mail.language.answers import plain_answer
from judge.mail.language.command_words import (
    ALSO_PROSE,
    BACK_TO_EARLIER,
    FORMS,
    JOINED,
    KNOWN,
    MEANT,
    NEVER_PROSE,
    NO_SETTINGS,
    NOT_TOPICS,
    POLITE,
    PREFER,
    SETTINGS,
    TAKE_BACK,
    UNSET,
    WITH_SECRETS,
)
from judge.mail.language.elsewhere import LOUD, SETTINGS_ADVICE, advice_on
from judge.mail.language.game_names import in_small_letters, plainly
from judge.mail.language.habits import PROFILE_READERS
from judge.mail.language.memoir_lines import DIARY_READERS
from judge.mail.language.phase_names import phase_named
from judge.mail.language.place_commands import ADMISSION_READERS
from judge.mail.language.place_said import SetGamePassword, StandBy
from judge.mail.language.powers import power_named, preferences_named, seat_named
from judge.mail.language.questions import QUERY_READERS, of_game
from judge.mail.language.said import (
    Clear,
    Concede,
    Confirm,
    Help,
    Join,
    NewTokens,
    Resign,
    Said,
    SetDraw,
    SetPassword,
    SetPreference,
    SetReady,
    SetWait,
    SetZone,
    SignOff,
    SignOn,
    UnknownCommand,
    UseThese,
)
from judge.mail.language.spoken import GAME, Maker, Reader
from judge.mail.language.table_commands import (
    MODERATOR_READERS,
    RULE_READERS,
    VOTE_READERS,
    decision_named,
    setting_named,
)
from judge.mail.language.table_said import Observe
from judge.notation.names import closest_matches
from judge.rules.board import Map

if TYPE_CHECKING:
    from judge.mail.body import Line

COMMAND_MAX = 200  # Characters. The longest command is CLEAR with every unit of a power.
TOPIC = re.compile(r"[A-Za-z]{2,20}")
TOPIC_WORDS_MAX = 3
UNIT = re.compile(r"(?:A|F|ARMY|FLEET)[ (]", re.IGNORECASE)
HIDDEN = "***"
KEY = "PASSWORD"  # stands before the password of a game
ALONE: MappingProxyType[str, Maker] = MappingProxyType(
    {
        "SIGNOFF": SignOff,
        "WAIT": partial(SetWait, wait=True),
        "NOWAIT": partial(SetWait, wait=False),
        "READY": partial(SetReady, ready=True),
        **dict.fromkeys(("NOREADY", "NOTREADY", "UNREADY"), partial(SetReady, ready=False)),
        "DRAW": partial(SetDraw, draw=True),
        "NODRAW": partial(SetDraw, draw=False),
        "NOCONCEDE": partial(Concede, to=None),
        "NOCONC": partial(Concede, to=None),
        "NOZONE": partial(SetZone, zone=None),
        "CLEAR": partial(Clear, words=()),
        "NEWTOKENS": NewTokens,
    }
)

LIKE = 0.7  # A slip in four letters.
NEAR_MIN, NEAR_MAX = 4, 20  # Letters; LIS is Lisbon and no slip of LIST.
UNKNOWN_WORDS_MAX = 4  # A longer line is a sentence.


def read_command(line: Line, board: Map, *, first: bool) -> Said | None:
    """Read *line*; YES and NO answer only as the *first* line of a mail."""
    written = line.text.strip(" .")
    words = written.split()
    if not words or len(written) > COMMAND_MAX:
        return None
    answer = plain_answer(written) if first else None
    if answer is not None:
        return Confirm(answer, line=line.number, text=line.text)
    maker = _maker(words, board) or _unknown(words, board)
    if maker is None:
        return None
    made = maker(line=line.number, text=line.text)
    return _without_secret(in_small_letters(cast("Said", made)))


def without_secrets(line: Line, board: Map) -> str:
    """Return the text of *line* as it may be shown, with `***` for what a command keeps secret."""
    said = read_command(line, board, first=False)
    return said.text if said else line.text


def is_near(word: str, words: Sequence[str]) -> str | None:
    """Return the one of *words* that *word* may be a slip of the pen for."""
    if not NEAR_MIN <= len(word) <= NEAR_MAX:
        return None
    found = closest_matches(word.upper(), words)
    return found[0][1] if found and found[0][0] >= LIKE else None


def _maker(words: list[str], board: Map) -> Maker | None:
    if (wished := _wished(words)) is not None:
        return wished
    name, arguments = _name(words)
    if words[0].upper() == "SET" and name in NO_SETTINGS:
        return None
    if name in ALONE and not arguments:
        return ALONE[name]
    if name in READERS:
        return READERS[name](arguments, board)
    return setting_named(words) or decision_named(words)


def _wished(words: list[str]) -> Maker | None:
    """Read `Please cancel my orders`, and `back to my first orders`, which only gets advice."""
    upper = (word.strip(",;:!.").upper() for word in words)
    said = " ".join(word for word in upper if word and word not in POLITE)
    if said in TAKE_BACK:
        return partial(Clear, words=())
    return (
        partial(UnknownCommand, word=said, nearest=None, advice="undo")
        if said in BACK_TO_EARLIER
        else None
    )


def _name(words: list[str]) -> tuple[str, list[str]]:
    """Return the name of a command, in one word and without SET, and what follows it."""
    start = 1 if words[0].upper() == "SET" and len(words) > 1 else 0
    name = words[start].upper()
    pair = " ".join(words[start : start + 2]).upper()
    if pair in JOINED:
        joined = JOINED[pair]
        return f"SET {joined}" if joined in SETTINGS else joined, words[start + 2 :]
    return (f"SET {name}" if start and name in SETTINGS | UNSET else name), words[start + 1 :]


def _sign_on(arguments: list[str], board: Map) -> Maker | None:
    """Read `Fgame pw`, `F game pw`, `FRANCE@game pw`, and nJudge's `?game pw`, which joins."""
    if arguments and arguments[0].startswith("?"):
        return _join([arguments[0][1:], *arguments[1:]], board)
    match arguments:
        case [where]:
            password = ""
        case [seat, password] if seat_named(seat, board):
            return None  # The word may be the game or the password.
        case [where, password]:
            pass
        case [seat, game, password]:
            where = f"{seat}@{game}"
        case _:
            return None
    power, game = _seat(where, board)
    named = GAME.fullmatch(game)
    return partial(SignOn, power=power, game=game, password=password) if named else None


def _seat(word: str, board: Map) -> tuple[str | None, str]:
    """Split `FRANCE@game` or `Fgame`; a game may begin with any letter, so the first is a seat."""
    name, at, game = word.rpartition("@")
    if at:
        seat = seat_named(name, board)
        return seat, game if seat else ""
    seat = seat_named(word[0], board)
    return (seat, word[1:]) if seat and len(word) > 1 else (None, word)


def _join(arguments: list[str], board: Map) -> Maker | None:
    """Read `game [password] [PASSWORD word] [PREFER FTG]`, `game FRANCE`, `FRANCE@game [word]`.

    DPjudge has the password of the game behind one's own, as a third word.
    """
    arguments, key = key_named(plainly(arguments))
    upper = [word.upper() for word in arguments]
    cut = next((i for i, word in enumerate(upper) if word in PREFER), len(upper))
    liked = preferences_named(" ".join(arguments[cut + 1 :]), board) if cut < len(upper) else ()
    if cut not in (1, 2, 3) or liked is None:
        return None
    if cut > 2:  # noqa: PLR2004 - a third word
        key = arguments.pop(2)
        cut = 2
    name, at, game = arguments[0].rpartition("@")
    power = power_named(name, board)
    if not GAME.fullmatch(game) or (at and power is None):
        return None
    password = arguments[1] if cut > 1 else None
    if password and not at and len(password) > 1 and power_named(password, board):
        power, password = power_named(password, board), None
    return partial(Join, game=game, power=power, preferences=liked, password=password, key=key)


def _take_over(arguments: list[str], board: Map) -> Maker | None:
    """Read `Fgame password` and `FRANCE@game password password`, as DPjudge has them."""
    power, game = _seat(arguments[0], board) if arguments else (None, "")
    if power not in board.powers:
        return None
    return _join([f"{power}@{game}", *arguments[1:]], board)


def _preference(arguments: list[str], board: Map) -> Maker | None:
    liked = preferences_named(" ".join(arguments), board)
    return partial(SetPreference, preferences=liked) if liked else None


def key_named(arguments: list[str]) -> tuple[list[str], str | None]:
    """Split `PASSWORD word`, the password of a game, from *arguments*."""
    upper = [word.upper() for word in arguments]
    at = upper.index(KEY) if KEY in upper[1:-1] else len(upper)
    key = arguments[at + 1] if at < len(upper) else None
    return arguments[:at] + arguments[at + 2 :], key


def _stand_by(arguments: list[str], _: Map) -> Maker | None:
    words, key = key_named(arguments)
    return _of_waiting(words, key, on=True)


def _stand_down(arguments: list[str], _: Map) -> Maker | None:
    return _of_waiting(arguments, None, on=False)


def _of_waiting(words: list[str], key: str | None, *, on: bool) -> Maker | None:
    match words:
        case []:
            return partial(StandBy, game=None, on=on)
        case [game] if GAME.fullmatch(game):
            return partial(StandBy, game=game, on=on, key=key)
        case _:
            return None


def _observe(*, on: bool) -> Reader:
    """Make the reader of OBSERVE; a password after the game, as nJudge wants it, is ignored."""

    def read(arguments: list[str], _: Map) -> Maker | None:
        game = arguments[0].rpartition("@")[2] if len(arguments) in (1, 2) else ""
        return partial(Observe, game=game, on=on) if GAME.fullmatch(game) else None

    return read


def _help(arguments: list[str], _: Map) -> Maker | None:
    """Read `HELP`, `HELP PRESS`, `HELP SET DEADLINE`, `HELP 1 YES`."""
    if not arguments:
        return partial(Help, topic=None)
    topic = " ".join(arguments).lower()
    named = TOPIC.fullmatch(topic) and topic.upper() not in NOT_TOPICS
    return partial(Help, topic=topic) if named or _begins_command(arguments) else None


def _begins_command(words: list[str]) -> bool:
    """Tell whether *words* are no more than the words of one command."""
    if not 1 < len(words) <= TOPIC_WORDS_MAX:
        return False
    name, _ = _name(words)
    known = name in ALONE or name in READERS
    shouted = all(word.isupper() for word in words)
    return known or shouted or bool(setting_named(words) or decision_named(words))


def _clear(arguments: list[str], board: Map) -> Maker | None:
    """Read `A Par, F Bre` and ALL: each names a unit, or a province of the board."""
    units = tuple(unit.strip() for unit in re.split("[,;]", " ".join(arguments)))
    if [unit.upper() for unit in units] == ["ALL"]:
        units = ()
    named = all(UNIT.match(unit) or _is_place(unit, board) for unit in units)
    return partial(Clear, words=units) if named else None


def _is_place(word: str, board: Map) -> bool:
    sought = word.partition("(")[0].partition("/")[0].strip().casefold()
    return any(
        sought in (code.casefold(), place.name.casefold(), *place.aliases)
        for code, place in board.places.items()
    )


def _use_these(arguments: list[str], _: Map) -> Maker | None:
    match [word.upper() for word in arguments]:
        case ["THESE"]:
            return partial(UseThese, code=None)
        case ["THESE", "FOR", *phase]:
            code = phase_named(phase)
            return partial(UseThese, code=code) if code else None
        case _:
            return None


JOIN_READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "SIGNON": _sign_on,
        "JOIN": _join,
        "TAKEOVER": _take_over,
        "PREFER": _preference,
        "PREF": _preference,
        "PREFERENCE": _preference,
        "PREFERENCES": _preference,
        "RESIGN": of_game(Resign),
        "WITHDRAW": of_game(Resign),
        "STANDBY": _stand_by,
        "NOSTANDBY": _stand_down,
        "OBSERVE": _observe(on=True),
        "WATCH": _observe(on=True),
        "MONITOR": _observe(on=True),
        "UNOBSERVE": _observe(on=False),
    }
)
ORDER_READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "CLEAR": _clear,
        "USE": _use_these,
    }
)
READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "HELP": _help,
        **JOIN_READERS,
        **PROFILE_READERS,
        **QUERY_READERS,
        **ORDER_READERS,
        **VOTE_READERS,
        **DIARY_READERS,
        **RULE_READERS,
        **MODERATOR_READERS,
        **ADMISSION_READERS,
    }
)


def _unknown(words: list[str], board: Map) -> Maker | None:
    """Tell a line that was meant as a command from a sentence, by its first word and length."""
    if len(words) == 1 and (meant := MEANT.get(words[0].upper().rstrip("!"))):
        return partial(UnknownCommand, word=words[0], nearest=meant)
    name, _ = _name(words)
    setting = words[0].upper() == "SET"
    start = " ".join(words[:2]).upper() if setting else name
    advice = advice_on(words)
    shouted = len(words) == 1 or words[0].isupper()
    loud = " ".join(words[:2]).isupper() or words[0] in LOUD
    if len(words) > UNKNOWN_WORDS_MAX and not (advice and loud):
        return None
    taught = name in ALSO_PROSE or name in READERS
    known_elsewhere = advice or (taught and start not in KNOWN)
    nearest = None if known_elsewhere or _is_place(name, board) else is_near(start, KNOWN)
    if nearest == start:
        nearest = FORMS.get(start)
    no_prose = setting or {name, nearest} & NEVER_PROSE
    if not (no_prose or (shouted and (nearest or known_elsewhere or taught))):
        return None
    elsewhere = SETTINGS_ADVICE if setting and not nearest else None
    return partial(UnknownCommand, word=start, nearest=nearest, advice=advice or elsewhere)


def _without_secret(said: Said) -> Said:
    """Put `***` in the text of *said* for a password, and for whatever may be one."""
    words = said.text.split()
    match said:
        case Join(password=password, key=key) if password or key:
            shown = [HIDDEN if word.strip(".") in (password, key) else word for word in words]
        case StandBy(key=str(key)):
            shown = [HIDDEN if word.strip(".") == key else word for word in words]
        case SignOn() | SetPassword() | Observe():
            shown = words[:2] + [HIDDEN for _ in words[2:]]
        case SetGamePassword(word=secret):
            shown = [HIDDEN if word.strip(".") == secret else word for word in words]
        case UnknownCommand(word=name, nearest=nearest) if {name, nearest} & WITH_SECRETS:
            shown = words[:2] + [HIDDEN for _ in words[2:]]
        case _:
            return said
    return replace(said, text=" ".join(shown))
