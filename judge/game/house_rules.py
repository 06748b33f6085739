"""House rules: each setting, its choices, the templates, and how people write them.

Lengths of time are written with a unit (`15m`, `1h30`) or as a number of the unit in the rule's
name. `GameCreated` has a copy of all rules. `docs/gamemasters.md` explains them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from enum import Enum
from typing import Never, TypeAlias, assert_never, cast

from judge.event_log import Value
from judge.notation.terms import closest_matches
from judge.rules.rulebook import DATC, Rulebook, rulebook_name, rulebook_named

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


class ImpossibleOrders(Enum):
    """The treatment of impossible orders (DATC 4.E.1)."""

    ACCEPT = "accept"  # it replaces the earlier order, is printed as written, and the unit holds
    REFUSE = "refuse"  # it changes nothing, and the earlier order stands


class Typos(Enum):
    """The treatment of misspelled orders."""

    STRICT = "strict"  # it is not understood
    SUGGEST = "suggest"  # one wrong letter is corrected; else the receipt suggests an order
    REPAIR = "repair"  # the nearest order is taken, if it is the only one; NO undoes it


class Deadlines(Enum):
    """The phases that have a deadline of their own."""

    EVERY_PHASE = "every_phase"
    MOVEMENT = "movement"  # retreats and adjustments follow at once, as ordered in advance


class AfterDeadline(Enum):
    """The right of punctual powers to change their orders during grace."""

    FROZEN = "frozen"
    OPEN = "open"


class Nmr(Enum):
    """The treatment of a power without orders at the deadline, and at the end of grace."""

    STANDBY = "standby"  # vacant; some days for a takeover; then civil disorder
    CIVIL_DISORDER = "civil_disorder"  # the phase is closed at once; the seat becomes vacant
    HOLD = "hold"  # its units hold, and it keeps the seat
    EXTEND = "extend"  # the deadline is moved first, once a phase; then likewise
    WAIT = "wait"  # the phase stays open until it has given any


class Press(Enum):
    """The press that players may send each other."""

    ALL = "all"  # signed, partial or broadcast, in all phases
    RULEBOOK = "rulebook"  # as `all`, but not in retreats and adjustments
    BROADCAST = "broadcast"  # to everybody only
    NONE = "none"


class PressThen(Enum):
    """The press that players may send each other in retreat and adjustment phases."""

    SAME = "same"  # what they may write in movement
    ALL = "all"
    BROADCAST = "broadcast"
    NONE = "none"


class Signing(Enum):
    """The signatures that press may have; the first one named is the default."""

    WHITE = "white"
    WHITE_GREY = "white_grey"
    GREY_WHITE = "grey_white"
    GREY = "grey"


class Fakes(Enum):
    """The facts that press may fake."""

    NONE = "none"
    READERS = "readers"  # who else reads it
    SENDER = "sender"  # who wrote it
    BOTH = "both"


class Postal(Enum):
    """Postal press: it waits for the next results, and comes with them."""

    NO = "no"
    YES = "yes"
    ONLY = "only"  # all press between players does


class ObserverPress(Enum):
    """The press that observers may send to players; they may always write to the moderator."""

    NONE = "none"
    BROADCAST = "broadcast"  # to everybody only
    ALL = "all"


class DrawEffect(Enum):
    """The moment at which the last vote for a draw or a concession ends the game."""

    AT_ONCE = "at_once"
    AT_CLOSE = "at_close"


class Start(Enum):
    """The way in which a game starts."""

    WHEN_FULL = "when_full"
    BY_HAND = "by_hand"  # when its moderator says BEGIN


class Entry(Enum):
    """The players who may join a game."""

    OPEN = "open"
    PASSWORD = "password"  # noqa: S105 - who knows the password of the game
    APPROVAL = "approval"  # whom its moderator lets in


class DrawAmong(Enum):
    """The powers that share a draw."""

    SURVIVORS = "survivors"  # all of them (DIAS)
    NAMED = "named"  # those whom all players name


class ModeratorSees(Enum):
    """The right of a moderator without a power to see orders before the phase closes."""

    NOTHING = "nothing"
    ORDERS = "orders"


class Forwarding(Enum):
    """The delay until a moderator without a power gets what players wrote besides orders."""

    DAILY = "daily"
    AT_ONCE = "at_once"


class Proof(Enum):
    """The proof that an email comes from the player whose address it bears."""

    STRICT = "strict"  # a reply to an email of ours, and a mail server's proof; or a confirmation
    STANDARD = "standard"  # either of these, or the password
    LOOSE = "loose"  # the address alone, which anybody can write


class Silence(Enum):
    """The vote that a power casts by not voting on an open proposal."""

    NO = "no"
    YES = "yes"


class Dummies(Enum):
    """The treatment of powers without a player."""

    HOLD = "hold"  # they are in civil disorder
    MODERATOR = "moderator"  # a moderator who plays no power may order for them


class Builds(Enum):
    """The provinces in which powers build; each but the first is one of `BuildSites`."""

    BOARD = "board"  # where the board says: on the default board, in home centers
    HOME = "home"
    ANY_HOME = "any_home"
    ANY = "any"
    ANY_WITH_A_HOME = "any_with_a_home"
    ANY_WITH_ALL_HOMES = "any_with_all_homes"


class Absences(Enum):
    """The effect of an announced absence."""

    MOVE = "move"  # later deadlines fall after the return
    EXCUSE = "excuse"  # the deadline stays, the units hold, and the player keeps the power
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The rules of one game apart from its rulebook."""

    # Time
    zone: str = "UTC"  # IANA name
    closing_time: str = "20:00"  # local, 24 hours; empty: exactly the duration after opening;
    # the default of a log without it: new games have that of `templates_for`
    closed_weekdays: tuple[int, ...] = (6, 7)  # no deadline falls on them; ISO, 6 is Saturday
    holidays: str = ""  # nor on these: `2026-12-24/2027-01-02,05-01`
    movement_hours: timedelta = 72 * HOUR
    retreat_hours: timedelta = 24 * HOUR
    adjustment_hours: timedelta = 24 * HOUR
    first_phase_hours: timedelta = 168 * HOUR
    deadlines: Deadlines = Deadlines.EVERY_PHASE
    grace_hours: timedelta = 24 * HOUR
    reminder_hours: tuple[timedelta, ...] = (
        24 * HOUR,
        4 * HOUR,
    )  # before the deadline; if orders are incomplete
    early_closing: bool = True
    early_wait_minutes: timedelta = 30 * MINUTE  # after the last change of any orders
    early_not_before_hours: timedelta = 12 * HOUR  # after a movement phase opened
    need_ready: bool = False
    manual_processing: bool = False  # the deadline is announced, and nothing closes by itself
    after_deadline: AfterDeadline = AfterDeadline.FROZEN
    # Who fails to order
    nmr: Nmr = Nmr.STANDBY
    nmr_extension_hours: timedelta = 24 * HOUR  # once a phase, where `nmr` is `extend`
    takeover_hours: timedelta = 168 * HOUR
    first_spring_extension_hours: timedelta = (
        48 * HOUR
    )  # once, if somebody gave no first orders; 0: never
    dummies: Dummies = Dummies.HOLD
    absences: Absences = Absences.MOVE
    absence_days: int = 15  # at most, a time
    # Orders
    impossible_orders: ImpossibleOrders = ImpossibleOrders.ACCEPT
    typos: Typos = Typos.SUGGEST
    s_stands: bool = False  # `A Par S` with nothing behind it is a hold, as zines write it
    build_sites: Builds = Builds.BOARD
    # The table
    proof: Proof = Proof.STANDARD
    press: Press = Press.ALL
    retreat_press: PressThen = PressThen.SAME
    adjustment_press: PressThen = PressThen.SAME
    signing: Signing = Signing.WHITE
    fakes: Fakes = Fakes.NONE
    postal: Postal = Postal.YES
    touch_press: bool = False  # to some only if they are neighbors
    must_order: bool = False  # only who has given orders writes to others
    late_press: bool = False  # also from a power that is late
    grace_press: bool = True  # also after the deadline
    observer_press: ObserverPress = ObserverPress.NONE
    publish_press: bool = False  # all of it, when the game is over
    publish_diaries: bool = False  # likewise
    press_closes_before_deadline: timedelta = timedelta()  # rulebook XIV.1; 0: it does not close
    entry: Entry = Entry.OPEN
    claim_hours: timedelta = 24 * HOUR  # in which a standby must answer an offer
    start: Start = Start.WHEN_FULL
    listed: bool = True
    comment: str = ""  # a line on the game, where it is listed
    language: str = "en"  # that its players write to each other in; ISO 639
    anonymous: bool = False  # gunboat: no handles are shown
    reveal: bool = False  # unless the game is over
    blind: bool = False  # each power sees what it borders
    moderator_sees: ModeratorSees = ModeratorSees.NOTHING
    forwarding: Forwarding = Forwarding.DAILY
    observers: bool = True  # anybody may observe and get the public emails
    # The end
    victory_centers: int = 0  # more than anyone else; 0: as many as the board says
    last_year: int = 0  # after whose Fall the most centers win; 0: there is none
    ends_at: str = ""  # local, `2026-12-04T23:00`: the year open then is the last; empty: none
    ends_after_hours: timedelta = timedelta()  # likewise, from the start of the game; 0: never
    draws: bool = True
    draw_among: DrawAmong = DrawAmong.SURVIVORS
    draw_effect: DrawEffect = DrawEffect.AT_ONCE
    open_votes: bool = False  # anybody may see who has voted for what
    proposal_phases: int = 1  # movement phases for which a proposal is open; 0: there are none
    hide_proposer: bool = False
    silence: Silence = Silence.NO
    concessions: bool = True


STANDARD = HouseRules()
TEMPLATES: Mapping[str, HouseRules] = {
    "standard": STANDARD,
    "rulebook": HouseRules(press=Press.RULEBOOK),  # no diplomacy before retreats and builds
    "build_anywhere": HouseRules(build_sites=Builds.ANY),
    "fog": HouseRules(blind=True),
    "evening": HouseRules(  # rulebook XIV.1: four hours, with phases of 15 minutes and less
        closing_time="",
        closed_weekdays=(),
        movement_hours=15 * MINUTE,
        retreat_hours=5 * MINUTE,
        adjustment_hours=5 * MINUTE,
        first_phase_hours=30 * MINUTE,
        grace_hours=2 * MINUTE,
        reminder_hours=(5 * MINUTE,),
        early_wait_minutes=MINUTE,
        early_not_before_hours=timedelta(),
        nmr=Nmr.HOLD,
        nmr_extension_hours=5 * MINUTE,
        takeover_hours=15 * MINUTE,
        first_spring_extension_hours=timedelta(),
        absences=Absences.NOTHING,
        claim_hours=5 * MINUTE,
        ends_after_hours=4 * HOUR,
    ),
}
YES_AND_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}

Setting: TypeAlias = str | int | bool | timedelta | tuple[int, ...] | tuple[timedelta, ...] | Enum

IN_MINUTES = frozenset({"early_wait_minutes", "press_closes_before_deadline"})  # others: hours
BARE_NUMBER = re.compile(r"[+-]?\d{1,9}")
DURATION = re.compile(
    r"(?=\d)(?:(\d{1,6}) ?h(?:ours?)?)? ?(?:(\d{1,6}) ?(?:m(?:in(?:utes?)?)?)?)?", re.IGNORECASE
)


def unit_of(name: str) -> timedelta:
    """Return the unit of a bare number for the rule *name*."""
    return MINUTE if name in IN_MINUTES else HOUR


def read_duration(text: str, unit: timedelta) -> timedelta:
    """Read `15m`, `1h30` or `2h`; a bare number counts the *unit*. Raises `ValueError`."""
    text = text.strip()
    if BARE_NUMBER.fullmatch(text):
        return int(text) * unit
    found = DURATION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return int(found[1] or 0) * HOUR + int(found[2] or 0) * MINUTE


def write_duration(length: timedelta, unit: timedelta) -> int | str:
    """Write what `read_duration` reads: a number where the *unit* measures *length*."""
    if not length % unit:
        return length // unit
    hours, minutes = divmod(length // MINUTE, 60)
    return f"{hours}h{minutes:02}" if hours else f"{minutes}m"


class UnknownHouseRuleError(ValueError):
    """The operator named a house rule, a template or a value that there is not."""

    def __init__(self, pair: str) -> None:
        super().__init__(f"no such house rule or value: {pair!r}; {_allowed(pair)}")
        self.pair = pair
        self.form, self.names = nearest_settings(pair)


def default_closing_time(game: str) -> str:
    """Return a minute between 20:00 and 20:59 for the name *game*: games must not close together.

    Never change it: a template that is chosen later must set the time that the game began with.
    """
    digest = hashlib.sha256(game.encode()).digest()
    return f"20:{int.from_bytes(digest) % 60:02}"


def templates_for(game: str) -> Mapping[str, HouseRules]:
    """Return the templates as the game named *game* has them, with its closing time."""
    closing_time = default_closing_time(game)
    return {
        name: replace(rules, closing_time=closing_time) if rules.closing_time else rules
        for name, rules in TEMPLATES.items()
    }


def standard_rules(game: str) -> HouseRules:
    """Return the rules of the game named *game* if its moderator names none."""
    return templates_for(game)["standard"]


def from_pairs(
    pairs: Iterable[str],
    rules: HouseRules = STANDARD,
    templates: Mapping[str, HouseRules] = TEMPLATES,
) -> HouseRules:
    """Read changes of *rules* as the operator writes them: `press=none`, `closed_weekdays=6,7`.

    `template=NAME` sets every rule, so it goes first. Raises `UnknownHouseRuleError`.
    """
    for pair in pairs:
        key, _, text = (part.strip() for part in pair.partition("="))
        try:
            if key == "template":
                rules = templates[text.casefold().replace("-", "_")]
            else:
                rules = _with(rules, {key: _read(key, text)})
        except (KeyError, ValueError):
            raise UnknownHouseRuleError(pair) from None
    return rules


def to_payload(rules: HouseRules) -> dict[str, Value]:
    """Write *rules* as primitives, for the log."""
    return {each.name: _plain(each.name, _setting(rules, each.name)) for each in fields(rules)}


def as_text(rules: HouseRules) -> dict[str, str]:
    """Write *rules* as a moderator writes them, by name."""
    return {name: _shown(value) for name, value in to_payload(rules).items()}


def from_payload(payload: Mapping[str, Value]) -> HouseRules:
    """Read what `to_payload` wrote; a rule that is newer than the log has its default."""
    return _with(STANDARD, {key: _restored(key, value) for key, value in payload.items()})


class Form(Enum):
    """The kinds of values that a rule expects, for the advice on a wrong one."""

    RULE = "rule"  # another name of a rule
    WORD = "one of some words"
    YES_OR_NO = "yes or no"
    NUMBER = "a whole number"
    DURATION = "a length of time, such as 15m, 1h30 or a whole number"
    DURATIONS = "lengths of time with commas between them, such as 1h,15m"
    NUMBERS = "whole numbers with commas between them"


def nearest_settings(  # noqa: PLR0911 - a return for each kind of setting
    pair: str,
) -> tuple[Form, tuple[str, ...]]:
    """Return the settings nearest to *pair*, and the names or words that are like it."""
    key, _, _ = (part.strip() for part in pair.partition("="))
    if key == "template":
        return Form.WORD, tuple(TEMPLATES)
    names = tuple(each.name for each in fields(HouseRules))
    if key not in names:
        return Form.RULE, _near(key, names)
    match _setting(STANDARD, key):
        case bool():
            return Form.YES_OR_NO, ()
        case int():
            return Form.NUMBER, ()
        case timedelta():
            return Form.DURATION, ()
        case (timedelta(), *_):
            return Form.DURATIONS, ()
        case tuple() | str():  # Any text is a text.
            return Form.NUMBERS, ()
        case Enum() as default:
            return Form.WORD, tuple(str(each.value) for each in type(default))
        case setting:
            assert_never(setting)


def _near(key: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return which of *names* begin with a word of *key*, else those that it may be a slip for."""
    words = [word.removesuffix("s") for word in key.replace("_", " ").split()]
    of_words = (tuple(name for name in names if name.startswith(word)) for word in words)
    return next(filter(None, of_words), tuple(name for _, name in closest_matches(key, names)))


def _allowed(pair: str) -> str:
    """Return the values that are allowed in *pair*."""
    key, _, _ = (part.strip() for part in pair.partition("="))
    form, names = nearest_settings(pair)
    match form:
        case Form.RULE:
            every = (each.name for each in fields(HouseRules))
            return f"the house rules are {', '.join(names or every)}"
        case Form.WORD:
            return f"{key} is {' or '.join(names)}"
        case Form.YES_OR_NO | Form.NUMBER | Form.NUMBERS | Form.DURATION | Form.DURATIONS:
            return f"{key} is {form.value}"
        case _:
            assert_never(form)


def _setting(rules: HouseRules, key: str) -> Setting:
    if key not in HouseRules.__slots__:
        raise KeyError(key)
    return cast("Setting", getattr(rules, key))


def _with(rules: HouseRules, settings: Mapping[str, Setting]) -> HouseRules:
    return replace(rules, **cast("dict[str, Never]", settings))  # each has its default's type


def _read(  # noqa: PLR0911 - a return for each kind of setting
    key: str, text: str
) -> Setting:
    match _setting(STANDARD, key):
        case bool():
            return YES_AND_NO[text.lower()]
        case int():
            return int(text)
        case timedelta():
            return read_duration(text, unit_of(key))
        case str():
            return text
        case (timedelta(), *_):
            return tuple(read_duration(part, unit_of(key)) for part in text.split(",") if part)
        case tuple():
            return tuple(int(part) for part in text.split(",") if part)
        case Enum() as default:
            return type(default)(text)
        case setting:
            assert_never(setting)


def _plain(key: str, setting: Setting) -> Value:
    match setting:
        case Enum():
            return cast("Value", setting.value)
        case timedelta():
            return write_duration(setting, unit_of(key))
        case (timedelta(), *_):
            return tuple(_plain(key, each) for each in setting)
        case _:
            return cast("Value", setting)


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _restored(key: str, value: Value) -> Setting:
    match _setting(STANDARD, key):
        case Enum() as default:
            return type(default)(value)
        case timedelta():
            return read_duration(str(value), unit_of(key))
        case (timedelta(), *_):
            return tuple(
                read_duration(str(each), unit_of(key)) for each in cast("tuple[Value, ...]", value)
            )
        case tuple():
            return tuple(cast("tuple[int, ...]", value))
        case _:
            return cast("str", value)


RULEBOOK_KEY = "rulebook"  # is written as a house rule is, and kept beside them


class SeveralRulebooksError(ValueError):
    """The operator named several rulebooks for one game."""

    def __init__(self, rulebooks: Sequence[Rulebook]) -> None:
        super().__init__(
            f"a game has one rulebook, not several: {' and '.join(map(rulebook_name, rulebooks))}"
        )


def with_suggested(pairs: Sequence[str], suggested: Mapping[str, str]) -> tuple[str, ...]:
    """Return *pairs* with those that a board suggests and they do not set; templates go first."""
    written = {pair.partition("=")[0].strip() for pair in pairs}
    return (*(f"{key}={value}" for key, value in suggested.items() if key not in written), *pairs)


def choose_rules(
    pairs: Sequence[str],
    named_rulebook: str | None = None,
    *,
    game: str,
    rules: HouseRules | None = None,
    rulebook: Rulebook = DATC,
) -> tuple[HouseRules, Rulebook]:
    """Read *pairs* such as `press=none`; `rulebook=1982` may also come as *named_rulebook*.

    A template goes first. Other rules are as in *rules* (by default those of a new game named
    *game*) and *rulebook*. Raises `UnknownHouseRuleError`, `UnknownRulebookError`,
    `SeveralRulebooksError`.
    """
    named = [text for key, text in map(_split_pair, pairs) if key == RULEBOOK_KEY]
    named += [] if named_rulebook is None else [named_rulebook]
    rulebooks = list(dict.fromkeys(map(rulebook_named, named)))
    if len(rulebooks) > 1:
        raise SeveralRulebooksError(rulebooks)
    others = [pair for pair in pairs if _split_pair(pair)[0] != RULEBOOK_KEY]
    first = sorted(others, key=lambda pair: _split_pair(pair)[0] != "template")
    chosen = from_pairs(first, rules or standard_rules(game), templates_for(game))
    return chosen, rulebooks[0] if rulebooks else rulebook


def _split_pair(pair: str) -> tuple[str, str]:
    key, _, text = pair.partition("=")
    return key.strip(), text
