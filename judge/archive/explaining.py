"""Why each order of an answer came out as it did, as JSON, for who asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from judge.archive.answers import Explain, Question
from judge.rules.board import Map
from judge.rules.explanation.citations import AUTOMATIC, Rule
from judge.rules.explanation.reasons import Reason, Reasons, Removal, explain_removals
from judge.rules.legality import correction_of
from judge.rules.outcome import Adjudication, Illegal, Outcome
from judge.rules.rulebook import Rulebook
from judge.rules.types import Order, Position, Province, Unit

# The outcomes are by where each unit stood; the order is what was meant by another, if any.
Say: TypeAlias = Callable[[Reason, Mapping[Province, Outcome], Order | None], str]
SayRemoved: TypeAlias = Callable[[Removal], str]


def explainer(
    board: Map, say: Say, say_removed: SayRemoved, question: Question, judged: Adjudication
) -> Explain:
    """Return what explains each outcome of *judged*, and each unit that was removed."""
    position, law = question.position, question.rulebook
    outcomes = (*judged.outcomes, *judged.unordered)
    reasons = Reasons(outcomes, judged.paradoxes, judged.disbanded, law)
    gone = explain_removals(board, position, judged.removed, judged.after, law)
    removals = {each.unit: each for each in gone}

    def tell(reason: Reason) -> dict[str, object]:
        meant = meant_by(board, position, reason.outcome, law)
        return {
            "says": say(reason, reasons.units, meant),
            "rule": _rule(reason.rule),
            "because": [tell(each) for each in reason.because],
        }

    def explain(told: Outcome | Unit) -> dict[str, object]:
        if isinstance(told, Outcome):
            return {"reason": tell(reasons.of(told))}
        return {"reason": {"says": say_removed(removals[told]), "rule": _rule(AUTOMATIC)}}

    return explain


def meant_by(board: Map, position: Position, outcome: Outcome, law: Rulebook) -> Order | None:
    """Return what the order of *outcome* is read as, None if it is ignored or read as it says."""
    if isinstance(outcome.verdict, Illegal):
        return None
    return correction_of(board, position, outcome.power, outcome.order, law)


def _rule(rule: Rule) -> dict[str, object]:
    return {"rulebook": rule.section, "datc": rule.datc}
