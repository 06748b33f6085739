"""Commands about how a game goes on: those of its moderator, and wishes of those at the table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from judge.mail.language.clocks import MOVEMENT_KEYS, clocks_of
from judge.mail.language.phase_names import phase_named
from judge.mail.language.powers import power_named, recipients_named
from judge.mail.language.said import Concede, SetDraw
from judge.mail.language.spoken import GAME, Maker, Reader
from judge.mail.language.table_said import (
    Absent,
    AskTime,
    Become,
    Begin,
    Correct,
    Create,
    Decide,
    Eject,
    GoOn,
    Grant,
    PauseGame,
    Process,
    Propose,
    RollBack,
    RollForward,
    SetDeadline,
    SetGrace,
    SetRules,
    ShowRules,
    Terminate,
    Unstart,
    VotePause,
    VoteProposal,
)
from judge.rules.board import Map
from judge.rules.types import Power

BECAUSE = ("BECAUSE", "REASON", "REASON:", "SINCE")
NUMBER = re.compile(r"\d{1,2}")
VOTES = {"YES": True, "ACCEPT": True, "NO": False, "VETO": False}
FACT = re.compile(r"(?:\w+ (?:A|F|ARMY|FLEET)|\w+ OWNS) \S", re.IGNORECASE)
TURN = re.compile(r"\d{1,3}")
PAIR = re.compile(r"[a-z_]+=\S*")
SETTING = re.compile(r"(?<!\S)([A-Za-z_]+)(?:=|\s+=\s*|\s*:\s*)")
HOURS = re.compile(r"(\d{1,3}) ?(H|HOURS?|D|DAYS?)?", re.IGNORECASE)
WITH_A_DATE = re.compile(
    r"\d|\b(?:(?:MON|TUES?|WED(?:NES)?|THU(?:RS)?|FRI|SAT(?:UR)?|SUN)(?:DAY)?"
    r"|YESTERDAY|TODAY|TOMORROW)\b",
    re.IGNORECASE,
)
# Settings of other judges that are house rules here.
DIALECT: Mapping[str, str] = MappingProxyType(
    {
        "NO PRESS": "press=none",
        "NONE PRESS": "press=none",
        "PARTIAL": "press=all",
        "NO PARTIAL": "press=broadcast",
        "NMR": "nmr=civil_disorder",
        "NO NMR": "nmr=standby",
        "CD": "nmr=civil_disorder",
        "NO CD": "nmr=standby",
        "LIST": "listed=yes",
        "LISTED": "listed=yes",
        "PUBLIC": "listed=yes",
        "NO LIST": "listed=no",
        "UNLIST": "listed=no",
        "UNLISTED": "listed=no",
        "PRIVATE": "listed=no",
        "WHITE": "signing=white",
        "WHITE/GREY": "signing=white_grey",
        "WHITE GREY": "signing=white_grey",
        "GREY/WHITE": "signing=grey_white",
        "GREY WHITE": "signing=grey_white",
        "GREY": "signing=grey",
        "PARTIAL MAY BE FAKED": "fakes=readers",
        "PARTIAL MAY": "fakes=readers",
        "NO FAKE": "fakes=none",
        "MINOR PRESS": "retreat_press=same adjustment_press=same",
        "NO MINOR PRESS": "retreat_press=none adjustment_press=none",
        "TOUCH PRESS": "touch_press=yes",
        "NO TOUCH PRESS": "touch_press=no",
        "MUST ORDER": "must_order=yes",
        "NO MUST ORDER": "must_order=no",
        "POSTAL PRESS": "postal=yes",
        "NO POSTAL PRESS": "postal=no",
        "GRACE PRESS": "grace_press=yes",
        "NO GRACE PRESS": "grace_press=no",
        "OBSERVER ANY": "observer_press=all",
        "OBSERVER WHITE": "observer_press=all",
        "OBSERVER NO": "observer_press=none",
        "LATE PRESS": "late_press=yes",
        "NO LATE PRESS": "late_press=no",
        "AUTO PROCESS": "manual_processing=no",
        "MANUAL PROCESS": "manual_processing=yes",
        "CONCESSIONS": "concessions=yes",
        "NO CONCESSIONS": "concessions=no",
        "DIAS": "draws=yes draw_among=survivors",
        "NO DIAS": "draws=yes draw_among=named",
        "APPROVAL": "entry=approval",
        "NO APPROVAL": "entry=open",
        "REVEAL": "reveal=yes",
        "NO REVEAL": "reveal=no",
        "AUTO START": "start=when_full",
        "MANUAL START": "start=by_hand",
    }
)


def setting_named(words: list[str]) -> Maker | None:
    """Read `SET NO PRESS`, `SET NOPRESS` and their like, as other judges have them."""
    if words[0].upper() != "SET":
        return None
    text = " ".join(words[1:]).upper()
    if text.startswith("NO") and not text.startswith(("NO ", "NONE ")):
        text = f"NO {text[2:]}"
    if found := re.fullmatch(r"MAX ?ABSENCE (\d{1,3})", text):
        return partial(SetRules, pairs=(f"absence_days={found[1]}",))
    if found := re.fullmatch(r"CENT(?:ER|RE)S (\d{1,2})", text):
        return partial(SetRules, pairs=(f"victory_centers={found[1]}",))
    return partial(SetRules, pairs=tuple(DIALECT[text].split())) if text in DIALECT else None


def decision_named(words: list[str]) -> Maker | None:
    """Read `1 YES`, `1: no`, as answers to numbered questions."""
    match [word.upper().strip(".:)") for word in words]:
        case [number, ("YES" | "NO" | "GRANT" | "DENY") as word] if NUMBER.fullmatch(number):
            return partial(Decide, number=int(number), yes=word in {"YES", "GRANT"})
        case _:
            return None


def _split(arguments: list[str]) -> tuple[list[str], str]:
    """Split words from the reason that follows BECAUSE."""
    upper = [word.upper() for word in arguments]
    cut = next((i for i, word in enumerate(upper) if word in BECAUSE), len(upper))
    return arguments[:cut], " ".join(arguments[cut + 1 :])


def _roll_back(arguments: list[str], _: Map) -> Maker | None:
    """Read our form, nJudge's `ROLLBACK 003` and DPjudge's `ROLLBACK S1902M RESTORE`."""
    words, reason = _split(arguments)
    options = {"RESTORE", "FULL"}
    restore = any(word.upper() in options for word in words)
    where = [word for word in words if word.upper() not in options]
    to = phase_named(where)
    if len(where) == 1 and TURN.fullmatch(where[0]):
        to = f"{int(where[0]):03}"
    if where and to is None:
        return None
    return partial(RollBack, to=to, restore=restore, reason=reason)


def _process(arguments: list[str], _: Map) -> Maker | None:
    code = phase_named(arguments)
    return partial(Process, phase=code) if code or not arguments else None


def _deadline(arguments: list[str], _: Map) -> Maker | None:
    words, reason = _split(arguments)
    when = " ".join(words)
    return partial(SetDeadline, when=when, reason=reason) if WITH_A_DATE.search(when) else None


def _grace(arguments: list[str], _: Map) -> Maker | None:
    words, reason = _split(arguments)
    when = " ".join(words)
    return partial(SetGrace, when=when, reason=reason) if WITH_A_DATE.search(when) else None


def _comment(arguments: list[str], _: Map) -> Maker | None:
    """Read a line on the game, empty for none; what is longer with nJudge ends with the mail."""
    if [word.upper() for word in arguments] == ["BEGIN"]:
        return None
    return partial(SetRules, pairs=(f"comment={' '.join(arguments)}",))


def _correct(arguments: list[str], _: Map) -> Maker | None:
    """Read what is so on the board: `France A Bur, no A Par, France owns Bel`."""
    words, reason = _split(arguments)
    facts = tuple(each.strip() for each in re.split("[,;]", " ".join(words)))
    return partial(Correct, facts=facts, reason=reason) if all(map(FACT.match, facts)) else None


def _rules(arguments: list[str], _: Map) -> Maker | None:
    pairs = _pairs(arguments)
    return partial(SetRules, pairs=pairs) if pairs else None


def _pairs(words: list[str]) -> tuple[str, ...] | None:
    """Read `press=none`, `Press = none`, `press: none`; None if anything else stands there."""
    pairs = SETTING.sub(lambda found: f"{found[1].lower()}=", " ".join(words)).split()
    return tuple(pairs) if all(PAIR.fullmatch(pair) for pair in pairs) else None


def _with_reason(said: Maker) -> Reader:
    """Make the reader of a command with a reason, or none."""

    def read(arguments: list[str], _: Map) -> Maker | None:
        words, reason = _split(arguments)
        return partial(said, reason=reason) if not words else None

    return read


def _alone(said: Maker) -> Reader:
    """Make the reader of a command that has no arguments."""

    def read(arguments: list[str], _: Map) -> Maker | None:
        return said if not arguments else None

    return read


def _of_power(said: Maker) -> Reader:
    """Make the reader of a command about one power."""

    def read(arguments: list[str], board: Map) -> Maker | None:
        power = power_named(arguments[0], board) if len(arguments) == 1 else None
        return partial(said, power=power) if power else None

    return read


def _force_begin(arguments: list[str], _: Map) -> Maker | None:
    return Begin if [word.upper() for word in arguments] == ["BEGIN"] else None


def _create(arguments: list[str], _: Map) -> Maker | None:
    """Read `name rule=value ...`; nJudge's `?name` too."""
    name, *rules = arguments or [""]
    pairs, game = _pairs(rules), name.removeprefix("?")
    if pairs is None or not GAME.fullmatch(game):
        return None
    return partial(Create, game=game, pairs=pairs)


def _vote(arguments: list[str], _: Map) -> Maker | None:
    match [word.upper() for word in arguments]:
        case ["PAUSE"]:
            return partial(VotePause, pause=True)
        case ["RESUME"] | ["NO", "PAUSE"] | ["NOPAUSE"]:
            return partial(VotePause, pause=False)
        case ["DRAW"]:
            return partial(SetDraw, draw=True)
        case [word] | [word, ("ON" | "FOR")] if word in VOTES:
            return partial(VoteProposal, number=None, yes=VOTES[word])
        case [number, ("YES" | "NO" | "ACCEPT" | "VETO") as word] | [
            ("YES" | "NO" | "ACCEPT" | "VETO") as word,
            number,
        ] if NUMBER.fullmatch(number):
            return partial(VoteProposal, number=int(number), yes=VOTES[word])
        case _:
            return None


def _propose(arguments: list[str], board: Map) -> Maker | None:
    """Read `DRAW`, `DIAS`, and those who would share it."""
    match [word.upper() for word in arguments]:
        case ["DRAW"] | ["DIAS"]:
            return partial(Propose, among=None)
        case ["DRAW", *_]:
            among = _powers(arguments[1:], board)
        case _:
            return None
    return partial(Propose, among=among) if among else None


def _draw(arguments: list[str], board: Map) -> Maker | None:
    """Read who would share a draw."""
    among = _powers(arguments, board)
    return partial(SetDraw, draw=True, among=among) if among else None


def _powers(words: list[str], board: Map) -> tuple[Power, ...]:
    """Return the powers that *words* name, none if they name anything else."""
    named = recipients_named(" ".join(words), board)
    known = tuple(power for power in named.names if power in board.powers)
    return () if named.unknown or len(known) < len(named.names) else known


def _more_time(arguments: list[str], _: Map) -> Maker | None:
    words, reason = _split(arguments)
    found = HOURS.fullmatch(" ".join(words))
    if found is None:
        return None
    hours = int(found[1]) * (24 if (found[2] or "").upper().startswith("D") else 1)
    return partial(AskTime, hours=hours, reason=reason)


def _absent(arguments: list[str], _: Map) -> Maker | None:
    when = " ".join(arguments)
    return partial(Absent, when=when) if WITH_A_DATE.search(when) else None


def _show_rules(arguments: list[str], _: Map) -> Maker | None:
    match arguments:
        case []:
            return partial(ShowRules, game=None)
        case [game] if GAME.fullmatch(game):
            return partial(ShowRules, game=game)
        case _:
            return None


def _concede(arguments: list[str], board: Map) -> Maker | None:
    if len(arguments) > 1 and arguments[0].upper() == "TO":
        arguments = arguments[1:]
    power = power_named(arguments[0], board) if len(arguments) == 1 else None
    return partial(Concede, to=power) if power else None


VOTE_READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "CONCEDE": _concede,
        "CONC": _concede,
        "VOTE": _vote,
        "PROPOSE": _propose,
        "DRAW": _draw,
        "EXTENSION": _more_time,
        "ABSENT": _absent,
        "ABSENCE": _absent,
        "HOLIDAY": _absent,
        "VACATION": _absent,
        "NOTABSENT": _alone(partial(Absent, when=None)),
        "NOABSENCE": _alone(partial(Absent, when=None)),
    }
)
RULE_READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "SET COMMENT": _comment,
        "SET MOVE": clocks_of("movement_hours", MOVEMENT_KEYS),
        "SET RETREAT": clocks_of("retreat_hours"),
        "SET ADJUST": clocks_of("adjustment_hours"),
        "SET RULE": _rules,
        "SET RULES": _rules,
        "CREATE": _create,
        "RULES": _show_rules,
    }
)
MODERATOR_READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "ROLLBACK": _roll_back,
        "PROCESS": _process,
        "PROCESS!": _process,
        "SET DEADLINE": _deadline,
        "EXTEND": _deadline,
        "SET GRACE": _grace,
        "CORRECT": _correct,
        "PAUSE": _with_reason(PauseGame),
        "ROLLFORWARD": _with_reason(RollForward),
        "UNSTART": _with_reason(Unstart),
        "RESUME": _alone(GoOn),
        "TERMINATE": _alone(Terminate),
        "BEGIN": _alone(Begin),
        "FORCE": _force_begin,
        "EJECT": _of_power(Eject),
        "BECOME": _of_power(Become),
        "GRANT": _of_power(partial(Grant, granted=True)),
        "DENY": _of_power(partial(Grant, granted=False)),
    }
)
