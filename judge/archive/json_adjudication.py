"""Adjudicate one position given as JSON, with the cause and reason of every result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, assert_never

from judge.archive import position_json
from judge.archive.json_input import MalformedError, require_object, require_text, require_texts
from judge.notation.order_text import write_order, write_owned_order
from judge.rules import order_sets, outcomes, types
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.citations import AUTOMATIC, Rule
from judge.rules.legality import correction_of
from judge.rules.phase_context import PhaseContext
from judge.rules.phase_sequence import winner
from judge.rules.rule_options import CountedOrders, ImpliedOrders, ProxyOrders
from judge.rules.rulebook import DATC, Rulebook, UnknownRulebookError, rulebook_named

if TYPE_CHECKING:
    from judge.rules.reasons import Reason, Removal

ORDERS, SETS, UNSEQUENCED = "orders", "sets", "unsequenced"  # each power uses one of these
STANDING, PROXIES = "standing", "proxies"
ORDER_KEYS = (ORDERS, SETS, UNSEQUENCED, STANDING, PROXIES)
EARLIER = {each.value: each for each in order_sets.EarlierSets}
GRANTED = {each.value: each for each in (ProxyOrders.ANNOUNCED, ProxyOrders.IN_ORDERS)}


COMPLETED = "COMPLETED"  # in place of a phase, after the end
MAP = "map"  # the board; the caller takes it
QUESTION_KEYS = {"rulebook", MAP, *position_json.POSITION_KEYS, *ORDER_KEYS}
REQUIRED_KEYS = ("phase", "units")
SIMILARITY_MIN = 0.85  # of 1; allows for one wrong letter in a short word


@dataclass(frozen=True, slots=True)
class Question:
    """A position and its orders as written, by power; *dropped* are orders of unused sets."""

    position: types.Position
    orders: Mapping[types.Power, Sequence[str]]
    rulebook: Rulebook
    dropped: Mapping[types.Power, Sequence[str]] = field(default_factory=dict)


# Explains an outcome or a removed unit.
Explain: TypeAlias = Callable[[outcomes.Outcome | types.Unit], dict[str, object]]
# Takes the reason, the outcomes by province, and the intended order, if corrected.
ReasonText: TypeAlias = (
    "Callable[[Reason, Mapping[types.Province, outcomes.Outcome], types.Order | None], str]"
)


@dataclass(frozen=True, slots=True)
class ReasonTexts:
    """Functions that put the reasons for orders and automatic removals into words."""

    order: ReasonText
    removal: Callable[[Removal], str]


def read_question(board: Map, source: Mapping[str, object]) -> Question:
    """Read a question; unknown keys are ignored. Raises `MalformedError`."""
    for key in source.keys() - QUESTION_KEYS:
        _reject_misspelled(key)
    rulebook = _rulebook(source)
    for key in REQUIRED_KEYS:
        if source.get(key) is None:
            raise MalformedError(key, "missing")
    if source["phase"] == COMPLETED:
        raise MalformedError(COMPLETED, "the game is over, and has no phase to adjudicate")
    position = position_json.read_position(board, source, rulebook)
    if position.phase < board.start.phase:
        raise MalformedError(source["phase"], f"is before {board.start.phase}, the first phase")
    orders = read_order_texts(board, source, position, rulebook)
    return Question(position, orders, rulebook, read_dropped_orders(board, source, orders))


def adjudicate_question(
    board: Map, question: Question, texts: ReasonTexts | None = None
) -> dict[str, object]:
    """Adjudicate *question* and return each order as written, with its reason if given *texts*.

    Raises `MalformedError`.
    """
    position, written = question.position, question.orders
    any_target = question.rulebook.counted_orders is CountedOrders.ANY_TEXT
    orders = {
        power: position_json.read_written_orders(board, several, any_target=any_target)
        for power, several in written.items()
    }
    judged = adjudicate(board, position, orders, question.rulebook)
    in_order = iter(judged.outcomes)
    explain = _explainer(board, question, judged, texts)
    result = partial(_result_json, explain)
    return {
        "phase": position.phase.code,
        "results": {
            power: [result(text, next(in_order)) for text in several]
            for power, several in written.items()
        },
        **({"dropped": question.dropped} if question.dropped else {}),
        "unordered": [
            {"power": each.power, **result(write_order(each.order), each)}
            for each in judged.unordered
        ],
        "paradoxes": [_paradox_json(each) for each in judged.paradoxes],
        "removed": [
            {"power": unit.power, "unit": str(unit), **explain(unit)} for unit in judged.removed
        ],
        "contested": sorted(judged.contested),
        "next": _next_position(board, position, judged),
    }


def _reject_misspelled(key: str) -> None:
    from difflib import get_close_matches  # noqa: PLC0415 - few have keys of their own

    for meant in get_close_matches(key, QUESTION_KEYS, n=1, cutoff=SIMILARITY_MIN):
        raise MalformedError(f"key {key!r}", f"unknown; did you mean {meant!r}?")


def _rulebook(source: Mapping[str, object]) -> Rulebook:
    if source.get("rulebook") is None:
        return DATC
    try:
        return rulebook_named(require_text(source["rulebook"], "rulebook"))
    except UnknownRulebookError as error:
        raise MalformedError("rulebook", str(error)) from None


def _result_json(explain: Explain, text: str, outcome: outcomes.Outcome) -> dict[str, object]:
    return {
        "order": text,
        "result": list(outcomes.result_words(outcome)),
        "causes": _causes(outcome),
        **explain(outcome),
    }


def _paradox_json(paradox: outcomes.Paradox) -> dict[str, object]:
    return {
        "convoys": list(paradox.convoys),
        "moves": list(paradox.moves),
        "rule": paradox.rule.value,
        "stood_in": paradox.stood_in,
    }


def _next_position(
    board: Map, position: types.Position, judged: outcomes.Adjudication
) -> dict[str, object]:
    after = position_json.write_position(judged.after)
    counted = board.calendar.counts_between(position.phase, judged.after.phase)
    if counted and winner(board, judged.after):
        after["phase"] = COMPLETED
    return after


def _causes(outcome: outcomes.Outcome) -> list[dict[str, object]]:
    causes = _causes_of_verdict(outcome.verdict)
    match outcome.fate:
        case None:
            pass
        case outcomes.Dislodged(by, strength) | outcomes.Destroyed(by, strength):
            causes.append({"kind": "dislodged", "by": by, "strength": _cause_field(strength)})
        case _:
            assert_never(outcome.fate)
    return causes


def _causes_of_verdict(verdict: outcomes.Verdict) -> list[dict[str, object]]:
    match verdict:
        case outcomes.Illegal(why):
            return [{"kind": why.value}]
        case outcomes.Invalid(why, instead):
            return [{"kind": why.value, "instead": write_order(instead) if instead else None}]
        case outcomes.Fails(cause):
            cause_json = {
                each.name: _cause_field(getattr(cause, each.name)) for each in fields(cause)
            }
            return [{"kind": outcomes.WORDS[type(cause)], **cause_json}]
        case outcomes.Cut(by):
            return [{"kind": "cut", "by": by}]
        case outcomes.Disrupted(by):
            return [{"kind": "disrupted", "by": by}]
        case outcomes.Stands() | outcomes.Succeeds() | outcomes.Given() | outcomes.Available():
            return []
        case _:
            assert_never(verdict)


def _cause_field(value: object) -> object:
    match value:
        case outcomes.Strength(unit, supporters, discounted):
            return {
                "unit": unit,
                "supporters": list(supporters),
                "discounted": list(discounted),
                "total": value.total,
            }
        case outcomes.Impossible():
            return value.value
        case tuple():
            return [_cause_field(each) for each in value]
        case _:
            return value


def read_order_texts(
    board: Map, source: Mapping[str, object], position: types.Position, rulebook: Rulebook
) -> Mapping[types.Power, Sequence[str]]:
    """Read the orders of each power, as written.

    Orders resolved from sets, standing orders, proxies or implied orders are in our notation.
    Raises `MalformedError`.
    """
    orders = {
        power: require_texts(several, f"orders of {power}")
        for power, several in position_json.read_by_power(board, source, ORDERS)
    }
    handed_in = source.keys() & {SETS, UNSEQUENCED, STANDING, PROXIES}
    if not handed_in and rulebook.implied_orders is ImpliedOrders.NOT_ALLOWED:
        return orders
    context = PhaseContext(board, position, rulebook)
    book = {
        power: position_json.read_written_orders(board, texts) for power, texts in orders.items()
    }
    for power, made in _orders_from_sets(context, source):
        if power in book:
            raise MalformedError(power, f"is in more than one of {ORDERS}, {SETS}, {UNSEQUENCED}")
        book[power] = made
    standing = {
        power: _orders(board, several, f"{STANDING} of {power}")
        for power, several in position_json.read_by_power(board, source, STANDING)
    }
    given = order_sets.with_proxies(book, list(_proxies(board, source)), rulebook.proxy_orders)
    final = order_sets.with_implied(context, order_sets.with_standing(context, given, standing))
    return {
        power: [write_owned_order(order) for order in several] for power, several in final.items()
    }


def read_dropped_orders(
    board: Map, source: Mapping[str, object], standing: Mapping[types.Power, Sequence[str]]
) -> Mapping[types.Power, Sequence[str]]:
    """Return the orders in the sets of each power that are not among its final orders.

    Later orders replaced them, or it is unknown which of several sets counts.
    """
    kept = {text for texts in standing.values() for text in texts}
    dropped: dict[types.Power, Sequence[str]] = {}
    for key, orders_of in ((SETS, _order_set), (UNSEQUENCED, _unsequenced_set)):
        for power, several in position_json.read_by_power(board, source, key):
            sets = (orders_of(board, each, power) for each in _require_list(several, key))
            texts = dict.fromkeys(
                write_owned_order(order) for each in sets for order in each.orders
            )
            dropped[power] = [text for text in texts if text not in kept]
    return {power: texts for power, texts in dropped.items() if texts}


def _orders_from_sets(
    context: PhaseContext, source: Mapping[str, object]
) -> Iterator[tuple[types.Power, order_sets.Orders]]:
    board = context.board
    for power, several in position_json.read_by_power(board, source, SETS):
        sets = [
            _order_set(board, each, power) for each in _require_list(several, f"{SETS} of {power}")
        ]
        yield power, order_sets.in_sequence(sets, context.rulebook.sets_in_sequence)
    for power, several in position_json.read_by_power(board, source, UNSEQUENCED):
        texts = _require_list(several, f"{UNSEQUENCED} of {power}")
        loose = [_unsequenced_set(board, each, power).orders for each in texts]
        yield power, order_sets.without_sequence(context, power, loose)


def _order_set(board: Map, source: object, power: types.Power) -> order_sets.OrderSet:
    order_set = require_object(source, f"a set of {power}")
    earlier = require_text(
        order_set.get("earlier", order_sets.EarlierSets.UNSAID.value), "earlier"
    )
    if earlier not in EARLIER:
        raise MalformedError(earlier, f"must be one of {', '.join(EARLIER)}")
    return order_sets.OrderSet(
        _orders(board, order_set.get(ORDERS), f"a set of {power}"), EARLIER[earlier]
    )


def _unsequenced_set(board: Map, source: object, power: types.Power) -> order_sets.OrderSet:
    return order_sets.OrderSet(_orders(board, source, f"{UNSEQUENCED} of {power}"))


def _proxies(board: Map, source: Mapping[str, object]) -> Iterator[order_sets.Proxy]:
    for owner, several in position_json.read_by_power(board, source, PROXIES):
        for province, value in require_object(several, f"{PROXIES} of {owner}").items():
            proxy = require_object(value, f"proxy for {province}")
            writer, granted = (
                require_text(proxy.get("by"), "by"),
                require_text(proxy.get("granted"), "granted"),
            )
            if province not in board.places:
                raise MalformedError(province, f"not a province of the {board.name} map")
            if writer not in board.powers:
                raise MalformedError(writer, f"not a power of the {board.name} map")
            if granted not in GRANTED:
                raise MalformedError(granted, f"must be one of {', '.join(GRANTED)}")
            yield order_sets.Proxy(
                owner=owner, writer=writer, province=province, granted=GRANTED[granted]
            )


def _orders(board: Map, texts: object, name: str) -> order_sets.Orders:
    return position_json.read_written_orders(board, require_texts(texts, name))


def _require_list(value: object, name: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise MalformedError(name, "must be a list")
    return value


def _explainer(
    board: Map, question: Question, judged: outcomes.Adjudication, texts: ReasonTexts | None
) -> Explain:
    if texts is None:
        return lambda _: {}
    position, rulebook = question.position, question.rulebook
    every = (*judged.outcomes, *judged.unordered)
    from judge.rules.reasons import Reasons, explain_removals  # noqa: PLC0415 - few ask

    reasons = Reasons(every, judged.paradoxes, judged.disbanded, rulebook)
    gone = explain_removals(board, position, judged.removed, judged.after, rulebook)
    removals = {each.unit: each for each in gone}

    def reason_json(reason: Reason) -> dict[str, object]:
        meant = intended_order(board, position, reason.outcome, rulebook)
        return {
            "says": texts.order(reason, reasons.units, meant),
            "rule": _rule_json(reason.rule),
            "because": [reason_json(each) for each in reason.because],
        }

    def explain(subject: outcomes.Outcome | types.Unit) -> dict[str, object]:
        if isinstance(subject, outcomes.Outcome):
            return {"reason": reason_json(reasons.of(subject))}
        return {
            "reason": {"says": texts.removal(removals[subject]), "rule": _rule_json(AUTOMATIC)}
        }

    return explain


def intended_order(
    board: Map, position: types.Position, outcome: outcomes.Outcome, rulebook: Rulebook
) -> types.Order | None:
    """Return the correction of the order of *outcome*, None if it is ignored or needs none."""
    if isinstance(outcome.verdict, outcomes.Illegal):
        return None
    return correction_of(board, position, outcome.power, outcome.order, rulebook)


def _rule_json(rule: Rule) -> dict[str, object]:
    return {"rulebook": rule.section, "datc": rule.datc}
