"""House rules: each setting, its choices, the templates, and how people write them.

Durations are whole hours, minutes or days, as the name says; the whole of it is copied into
`GameCreated`. `docs/gamemasters.md` explains them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Never, TypeAlias, assert_never, cast

from judge.event_log import Value
from judge.notation.terms import closest_matches
from judge.rules.rulebook import DATC, Rulebook, rulebook_name, rulebook_named


class ImpossibleOrders(Enum):
    """What becomes of an order that can be read but never carried out (DATC 4.E.1)."""

    ACCEPT = "accept"  # it replaces the earlier order, is printed as written, and the unit holds
    REFUSE = "refuse"  # it changes nothing, and the earlier order stands


class Typos(Enum):
    """What becomes of a line that is an order but for a slip of the pen."""

    STRICT = "strict"  # it is not understood
    SUGGEST = "suggest"  # nor is it here, but the receipt asks whether the nearest order is meant
    REPAIR = "repair"  # the nearest order is taken, if it is the only one; NO undoes it


class Deadlines(Enum):
    """Which phases have a deadline of their own."""

    EVERY_PHASE = "every_phase"
    MOVEMENT = "movement"  # retreats and adjustments follow at once, as ordered in advance


class AfterDeadline(Enum):
    """Whether a power that was in may change its orders during grace."""

    FROZEN = "frozen"
    OPEN = "open"


class Nmr(Enum):
    """What becomes of a power that gave no orders by the deadline, and by the end of grace."""

    STANDBY = "standby"  # vacant; some days for a takeover; then civil disorder
    CIVIL_DISORDER = "civil_disorder"  # the phase is closed at once; the seat becomes vacant
    HOLD = "hold"  # its units hold, and it keeps the seat
    EXTEND = "extend"  # the deadline is moved first, once a phase; then likewise
    WAIT = "wait"  # the phase stays open until it has given any


class Press(Enum):
    """What players may write to each other through the judge."""

    ALL = "all"  # signed, partial or broadcast, in all phases
    RULEBOOK = "rulebook"  # as `all`, but not in retreats and adjustments
    BROADCAST = "broadcast"  # to everybody only
    NONE = "none"


class PressThen(Enum):
    """What players may write to each other in the phases between those of movement."""

    SAME = "same"  # what they may write in movement
    ALL = "all"
    BROADCAST = "broadcast"
    NONE = "none"


class Signing(Enum):
    """Whether press says who wrote it; the first that is named is meant where nothing is said."""

    WHITE = "white"
    WHITE_GREY = "white_grey"
    GREY_WHITE = "grey_white"
    GREY = "grey"


class Fakes(Enum):
    """What a letter may say that is not so."""

    NONE = "none"
    READERS = "readers"  # who else reads it
    SENDER = "sender"  # who wrote it
    BOTH = "both"


class Postal(Enum):
    """Whether press may wait for the next results, and come with them."""

    NO = "no"
    YES = "yes"
    ONLY = "only"  # all press between players does


class ObserverPress(Enum):
    """What observers may write to players; to the moderator they always may."""

    NONE = "none"
    BROADCAST = "broadcast"  # to everybody only
    ALL = "all"


class DrawEffect(Enum):
    """When the last vote that a draw or a concession needs ends the game."""

    AT_ONCE = "at_once"
    AT_CLOSE = "at_close"


class Start(Enum):
    """When a game starts."""

    WHEN_FULL = "when_full"
    BY_HAND = "by_hand"  # when its moderator says BEGIN


class Entry(Enum):
    """Who is let into a game."""

    OPEN = "open"
    PASSWORD = "password"  # noqa: S105 - who knows the password of the game
    APPROVAL = "approval"  # whom its moderator lets in


class DrawAmong(Enum):
    """Who shares a draw."""

    SURVIVORS = "survivors"  # all of them (DIAS)
    NAMED = "named"  # those whom all players name


class ModeratorSees(Enum):
    """Whether a moderator who plays no power may see orders before the phase closes."""

    NOTHING = "nothing"
    ORDERS = "orders"


class Forwarding(Enum):
    """When a moderator who plays no power gets sentences of players that are no orders."""

    DAILY = "daily"
    AT_ONCE = "at_once"


class Proof(Enum):
    """What shows that a mail is of the player whose address it comes from."""

    STRICT = (
        "strict"  # an answer to an email of ours, and a mail server's proof; or a confirmation
    )
    STANDARD = "standard"  # either of these, or the password
    LOOSE = "loose"  # the address alone, which anybody can write


class Silence(Enum):
    """What it counts for when a power does not vote on a proposal while it is open."""

    NO = "no"
    YES = "yes"


class Dummies(Enum):
    """What happens to powers without a player."""

    HOLD = "hold"  # they are in civil disorder
    MODERATOR = "moderator"  # a moderator who plays no power may order for them


class Absences(Enum):
    """What an announced absence changes."""

    MOVE = "move"  # later deadlines fall after the return
    EXCUSE = "excuse"  # the deadline stays, the units hold, and the player keeps the power
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The rules of one game apart from its rulebook."""

    # Time
    zone: str = "UTC"  # IANA name
    closing_time: str = "20:00"  # local, 24 hours; empty: exactly the duration after opening
    closed_weekdays: tuple[int, ...] = (6, 7)  # no deadline falls on them; ISO, 6 is Saturday
    holidays: str = ""  # nor on these: `2026-12-24/2027-01-02,05-01`
    movement_hours: int = 72
    retreat_hours: int = 24
    adjustment_hours: int = 24
    first_phase_hours: int = 168
    deadlines: Deadlines = Deadlines.EVERY_PHASE
    grace_hours: int = 24
    reminder_hours: tuple[int, ...] = (24, 4)  # before the deadline; if orders are incomplete
    early_closing: bool = True
    early_wait_minutes: int = 30  # after the last change of any orders
    early_not_before_hours: int = 12  # after a movement phase opened
    need_ready: bool = False
    manual_processing: bool = False  # the deadline is announced, and nothing closes by itself
    after_deadline: AfterDeadline = AfterDeadline.FROZEN
    # Who fails to order
    nmr: Nmr = Nmr.STANDBY
    nmr_extension_hours: int = 24  # once a phase, where `nmr` is `extend`
    takeover_hours: int = 168
    first_spring_extension_hours: int = 48  # once, if somebody gave no first orders; 0: never
    dummies: Dummies = Dummies.HOLD
    absences: Absences = Absences.MOVE
    absence_days: int = 15  # at most, a time
    # Orders
    impossible_orders: ImpossibleOrders = ImpossibleOrders.ACCEPT
    typos: Typos = Typos.SUGGEST
    s_stands: bool = False  # `A Par S` with nothing behind it is a hold, as zines write it
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
    press_closes_before_deadline: int = 0  # minutes, rulebook XIV.1; 0: it does not close
    entry: Entry = Entry.OPEN
    claim_hours: int = 24  # in which a standby must answer an offer
    start: Start = Start.WHEN_FULL
    listed: bool = True
    comment: str = ""  # a line on the game, where it is listed
    anonymous: bool = False  # gunboat: no handles are shown
    reveal: bool = False  # unless the game is over
    blind: bool = False  # each power sees what it borders
    moderator_sees: ModeratorSees = ModeratorSees.NOTHING
    forwarding: Forwarding = Forwarding.DAILY
    observers: bool = True  # anybody may have the mails that are public
    # The end
    victory_centers: int = 0  # more than anyone else; 0: as many as the board says
    last_year: int = 0  # after whose Fall the most centers win; 0: there is none
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
}
YES_AND_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}

Setting: TypeAlias = str | int | bool | tuple[int, ...] | Enum


class UnknownHouseRuleError(ValueError):
    """The operator named a house rule, a template or a value that there is not."""

    def __init__(self, pair: str) -> None:
        super().__init__(f"no such house rule or value: {pair!r}; {_allowed(pair)}")
        self.pair = pair
        self.form, self.names = wanted(pair)


def from_pairs(pairs: Iterable[str], rules: HouseRules = STANDARD) -> HouseRules:
    """Read changes of *rules* as the operator writes them: `press=none`, `closed_weekdays=6,7`.

    `template=NAME` sets every rule, so it goes first. Raises `UnknownHouseRuleError`.
    """
    for pair in pairs:
        key, _, text = (part.strip() for part in pair.partition("="))
        try:
            if key == "template":
                rules = TEMPLATES[text]
            else:
                rules = _with(rules, {key: _read(text, _setting(STANDARD, key))})
        except (KeyError, ValueError):
            raise UnknownHouseRuleError(pair) from None
    return rules


def to_payload(rules: HouseRules) -> dict[str, Value]:
    """Write *rules* as primitives, for the log."""
    return {each.name: _plain(_setting(rules, each.name)) for each in fields(rules)}


def as_text(rules: HouseRules) -> dict[str, str]:
    """Write *rules* as a moderator writes them, by name."""
    return {name: _shown(value) for name, value in to_payload(rules).items()}


def from_payload(payload: Mapping[str, Value]) -> HouseRules:
    """Read what `to_payload` wrote; a rule that is younger than the log has its default."""
    return _with(
        STANDARD,
        {key: _restored(value, _setting(STANDARD, key)) for key, value in payload.items()},
    )


class Form(Enum):
    """What might stand in place of a pair that is no setting."""

    RULE = "rule"  # another name of a rule
    WORD = "one of some words"
    YES_OR_NO = "yes or no"
    NUMBER = "a whole number"
    NUMBERS = "whole numbers with commas between them"


def wanted(pair: str) -> tuple[Form, tuple[str, ...]]:
    """Return what might stand in place of *pair*, and the names or words that are near it."""
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
    """Return what is allowed in place of *pair*."""
    key, _, _ = (part.strip() for part in pair.partition("="))
    form, names = wanted(pair)
    match form:
        case Form.RULE:
            every = (each.name for each in fields(HouseRules))
            return f"the house rules are {', '.join(names or every)}"
        case Form.WORD:
            return f"{key} is {' or '.join(names)}"
        case Form.YES_OR_NO | Form.NUMBER | Form.NUMBERS:
            return f"{key} is {form.value}"
        case _:
            assert_never(form)


def _setting(rules: HouseRules, key: str) -> Setting:
    if key not in HouseRules.__slots__:
        raise KeyError(key)
    return cast("Setting", getattr(rules, key))


def _with(rules: HouseRules, settings: Mapping[str, Setting]) -> HouseRules:
    return replace(rules, **cast("dict[str, Never]", settings))  # each has its default's type


def _read(text: str, default: Setting) -> Setting:
    match default:
        case bool():
            return YES_AND_NO[text.lower()]
        case int():
            return int(text)
        case str():
            return text
        case tuple():
            return tuple(int(part) for part in text.split(",") if part)
        case Enum():
            return type(default)(text)
        case _:
            assert_never(default)


def _plain(setting: Setting) -> Value:
    return cast("Value", setting.value) if isinstance(setting, Enum) else setting


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _restored(value: Value, default: Setting) -> Setting:
    if isinstance(default, Enum):
        return type(default)(value)
    return (
        tuple(cast("tuple[int, ...]", value)) if isinstance(default, tuple) else cast("str", value)
    )


RULEBOOK_KEY = "rulebook"  # is written as a house rule is, and kept beside them


class SeveralRulebooksError(ValueError):
    """The operator named several rulebooks for one game."""

    def __init__(self, rulebooks: Sequence[Rulebook]) -> None:
        super().__init__(
            f"a game has one rulebook, not several: {' and '.join(map(rulebook_name, rulebooks))}"
        )


def choose_rules(
    pairs: Sequence[str],
    law: str | None = None,
    *,
    rules: HouseRules = STANDARD,
    rulebook: Rulebook = DATC,
) -> tuple[HouseRules, Rulebook]:
    """Read *pairs* such as `press=none` and `rulebook=1982`, which *law* may say as well.

    A template goes first; what they do not say is as in *rules* and *rulebook*. Raises
    `UnknownHouseRuleError`,
    `UnknownRulebookError`, `SeveralRulebooksError`.
    """
    named = [text for key, text in map(_split_pair, pairs) if key == RULEBOOK_KEY]
    rulebooks = list(dict.fromkeys(map(rulebook_named, named if law is None else [*named, law])))
    if len(rulebooks) > 1:
        raise SeveralRulebooksError(rulebooks)
    others = [pair for pair in pairs if _split_pair(pair)[0] != RULEBOOK_KEY]
    first = sorted(others, key=lambda pair: _split_pair(pair)[0] != "template")
    chosen = from_pairs(first, rules)
    return chosen, rulebooks[0] if rulebooks else rulebook


def _split_pair(pair: str) -> tuple[str, str]:
    key, _, text = pair.partition("=")
    return key.strip(), text
