"""Whether a record and the law agree: each phase is adjudicated again from its own position.

What comes out is compared with the next recorded position, and with what the record tells of each
order. Phases in which the record has nobody order anything pass as the law has them. Nothing is
compared across a gap, nor where an order was not understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from judge.archive.explaining import Say, meant_by
from judge.archive.record import Doubt, Record, RecordedPhase, Source
from judge.archive.retrial import Trial, discords, trial_of
from judge.notation.order_text import write_order
from judge.rules.board import Map
from judge.rules.explanation.reasons import Reasons
from judge.rules.outcome import Outcome
from judge.rules.rulebook import RULEBOOKS, Rulebook, rulebook_named
from judge.rules.types import Phase, PhaseKind, Power


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What record and law have different of one order of *phase*, or of one province.

    *order* is empty if none accounts for it; *recorded* and *adjudicated* are what
    only one of them has, *reason* says why the law has it so, *explained_by* are the presets under
    which the whole phase comes out as recorded.
    """

    phase: Phase
    line: int | None
    power: Power
    order: str
    recorded: tuple[str, ...]
    adjudicated: tuple[str, ...]
    reason: str
    explained_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What came of verifying one game under *rulebook*: how much there is, and what differs."""

    game: str
    source: Source
    rulebook: str
    phases: Mapping[PhaseKind, int]
    orders: int
    compared: int
    differences: tuple[Difference, ...]
    doubts: tuple[Doubt, ...]

    @property
    def differing(self) -> int:
        """Return the number of phases that come out otherwise than recorded."""
        return len({each.phase for each in self.differences})


def verify(board: Map, record: Record, rulebook: str, say: Say) -> Verified:
    """Verify *record* under *rulebook*; *say* puts reasons into words."""
    law, differences = rulebook_named(rulebook), list[Difference]()
    phases = record.played
    trials = tuple(trials_of(phases))
    for trial in trials:
        differences += _differences(board, trial, law, say)
    return Verified(
        game=record.name,
        source=record.source,
        rulebook=rulebook,
        phases=Counter(each.phase.kind for each in phases),
        orders=sum(len(each.orders) for each in phases),
        compared=len(trials),
        differences=tuple(differences),
        doubts=record.doubts,
    )


def trials_of(phases: Sequence[RecordedPhase]) -> Iterator[Trial]:
    """Yield what can be tried of *phases*, each of which the next follows."""
    for phase, following in zip_longest(phases, phases[1:]):
        trial = trial_of(phase, following.position if following else None)
        if trial:
            yield trial


def _differences(board: Map, trial: Trial, law: Rulebook, say: Say) -> Iterator[Difference]:
    judged, found = discords(board, trial, law)
    if not found:
        return
    outcomes = (*judged.outcomes, *judged.unordered)
    reasons = Reasons(outcomes, judged.paradoxes, judged.disbanded, law)
    explained_by = tuple(
        name
        for name, other in RULEBOOKS.items()
        if other != law and not discords(board, trial, other)[1]
    )

    def why(outcome: Outcome) -> str:
        meant = meant_by(board, trial.before, outcome, law)
        return say(reasons.of(outcome), reasons.units, meant)

    for each in found:
        written, outcome = each.order or (None, None)
        yield Difference(
            phase=trial.phase.phase,
            line=written.line if written else trial.phase.first_line,
            power=outcome.power if outcome else "",
            order=write_order(outcome.order) if outcome else "",
            recorded=tuple(each.recorded),
            adjudicated=tuple(each.adjudicated),
            reason=why(outcome) if outcome else "",
            explained_by=explained_by,
        )
