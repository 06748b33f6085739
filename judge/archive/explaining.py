"""Why each order of an answer came out as it did, as JSON, for who asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from judge.archive.answers import Explain
from judge.rules.outcome import Outcome
from judge.rules.reasons import Reason, Reasons
from judge.rules.result import Adjudication
from judge.rules.vocabulary import Province

Say: TypeAlias = Callable[[Reason, Mapping[Province, Outcome]], str]  # by where each unit stood


def explainer(say: Say, judged: Adjudication) -> Explain:
    """Return what explains each outcome of *judged*, in the words of *say*."""
    reasons = Reasons((*judged.outcomes, *judged.unordered), judged.paradoxes)

    def tell(reason: Reason) -> dict[str, object]:
        return {
            "says": say(reason, reasons.units),
            "rule": {"rulebook": reason.rule.section, "datc": reason.rule.datc},
            "because": [tell(each) for each in reason.because],
        }

    return lambda outcome: {"reason": tell(reasons.of(outcome))}
