"""Why each order of an answer came out as it did, as JSON, for who asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from judge.archive.answers import Explain, Question
from judge.rules.citations import AUTOMATIC, Rule
from judge.rules.corrections import corrected
from judge.rules.geography import Map
from judge.rules.order import Order
from judge.rules.outcome import Illegal, Outcome
from judge.rules.position import Position
from judge.rules.reasons import Reason, Reasons
from judge.rules.removal import Removal, explained_removals
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from judge.rules.vocabulary import Province, Unit

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
    gone = explained_removals(board, position, judged.removed, judged.after, law)
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
    return corrected(board, position, outcome.power, outcome.order, law)


def _rule(rule: Rule) -> dict[str, object]:
    return {"rulebook": rule.section, "datc": rule.datc}
