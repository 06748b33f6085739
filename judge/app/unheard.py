"""Prose that speaks of its writer's units: no order, but told, lest one is lost in silence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from judge.game.orders.order_set_update import ordered_province
from judge.notation import vocabulary
from judge.notation.clause_splitting import begins_with_unit
from judge.notation.clauses import NOTHING_ORDERED
from judge.notation.conditional_orders import is_retreat_remark
from judge.notation.names import Names, Token, names_of, tokenize
from judge.notation.parser import parse
from judge.notation.readings import NotUnderstood, Prose, Reading, Understood, WhyNotUnderstood
from judge.rules.board import Map
from judge.rules.types import PhaseKind, Position, Power, Province, Waive

ORDER_MAX = 80  # characters of an order that stands at the end of a sentence
OF_ALL_MAX = 5  # words of `both my armies hold`
KEPT = re.compile(  # `I keep my builds for next year`
    r"\W*(?:(?:i|we)(?:'ll| will| want to|'d like to)? )?(?:keep|hold|delay|skip|retain|reserve)"
    r"(?: back| on to)?(?: (?:the|my|our|all|both|one|this|that|any|\d))* builds?"
    r"(?: (?:for|until|till) [\w ]{1,20})?\W*",
    re.IGNORECASE,
)


def with_unheard(
    board: Map, position: Position, power: Power, readings: Sequence[Reading]
) -> Iterator[Reading]:
    """Yield *readings*, prose that speaks of units of *power* as not understood.

    Such is `I'd like A Par to go to Bur`, `both armies hold`, and a unit alone. Of a unit that the
    mail has an order for, people say why: that is prose, unless another order is in it. So too in
    parentheses behind an order, but for where its unit is to retreat to. Who has
    builds to keep (`keep the build`) may waive them, or mean what he has ordered.
    """
    builds = position.phase.kind is PhaseKind.ADJUSTMENTS and position.due(power) > 0
    own = _own(position, power)
    ordered = {ordered_province(each.order) for each in readings if isinstance(each, Understood)}
    for each in readings:
        if isinstance(each, Prose) and _speaks(each, board, own, own - ordered):
            line, column = each.line, each.column
            yield NotUnderstood(line, column, each.text, WhyNotUnderstood.NOT_AN_ORDER, "", column)
        elif builds and isinstance(each, Prose) and KEPT.fullmatch(each.text):
            line, column, why = each.line, each.column, WhyNotUnderstood.NOT_AN_ORDER
            yield NotUnderstood(line, column, each.text, why, "", column, nearest=Waive())
        else:
            yield each
        if isinstance(each, Understood) and not is_retreat_remark(each.remark):
            line, column, text = each.line, each.column, each.remark.strip("() ")
            if _speaks(Prose(line, column, text), board, own, own - ordered):
                yield NotUnderstood(line, column, text, WhyNotUnderstood.NOT_AN_ORDER, "", column)


def _own(position: Position, power: Power) -> frozenset[Province]:
    """Return where units of *power* are that it orders by name, whatever it does with them."""
    units = {
        PhaseKind.MOVEMENT: position.units,
        PhaseKind.RETREATS: tuple(each.unit for each in position.dislodged),
        PhaseKind.ADJUSTMENTS: (),
    }[position.phase.kind]
    return frozenset(unit.province for unit in units if unit.power == power)


def _speaks(
    prose: Prose, board: Map, own: AbstractSet[Province], open_: AbstractSet[Province]
) -> bool:
    """Tell whether *prose* is about one of his *own* units, or about several that are *open*."""
    if prose.hold or NOTHING_ORDERED.search(prose.text):
        return False
    tokens = tokenize(prose.text)
    if open_ and _of_all(tokens):
        return True
    named = _named(tokens, names_of(board), own)
    if named is None:
        return False
    at, place = named
    end = prose.text[at.column - 1 :]
    shouted = len(at.text) > 1 or at.text.isupper()  # `it is a war` names no army
    return (shouted and place in open_) or (len(end) <= ORDER_MAX and _is_order(end, board))


def _of_all(tokens: Sequence[Token]) -> bool:
    """Tell `both my armies hold`, `armies hold`, `fleets to Mao`."""
    keys = {token.key for token in tokens}
    does = (
        vocabulary.UNIT_ORDER_WORDS if keys & vocabulary.SEVERAL_KINDS.keys() else vocabulary.HOLD
    )
    several = keys & (vocabulary.SEVERAL_KINDS.keys() | {"both", "beide"})
    return bool(several and keys & does) and len(tokens) <= OF_ALL_MAX


def _named(
    tokens: Sequence[Token], names: Names, own: AbstractSet[Province]
) -> tuple[Token, Province] | None:
    """Return the first of his *own* units that *tokens* name with its kind."""
    keys = [token.key for token in tokens]
    for at, key in enumerate(keys):
        if key in vocabulary.KINDS and begins_with_unit(keys, at, names):
            behind = [
                key
                for key in keys[at + 1 : at + 1 + 2 * names.words_max]
                if key != "(" and key not in vocabulary.FILLERS
            ]
            places = names.longest(behind[: names.words_max])[1]
            if mine := [place for place in places if place in own]:
                return tokens[at], mine[0]
    return None


def _is_order(text: str, board: Map) -> bool:
    return any(isinstance(each, Understood) for each in parse(text, board))
