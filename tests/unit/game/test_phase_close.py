"""The events of a closed phase, and the phase that opens next."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from judge.event_log import Event
from judge.game.clock import ProcessNow
from judge.game.deadlines import DeadlinePassed
from judge.game.events import replay
from judge.game.game_state import Game, Stage
from judge.game.phases import PhaseClosed, PhaseOpened
from judge.game.players.joining import Resign
from judge.game.players.seats import CivilDisorderDeclared
from judge.game.voting import GameEnded
from judge.rules.adjudication import RESOLVER_VERSION
from tests.unit.game.table import (
    BOARD,
    DAY,
    DEADLINE,
    MONDAY,
    adjust,
    all_hold,
    given,
    happened,
    in_phase,
    look,
    phase_of,
    started,
    submit,
)

NOW = ProcessNow("operator")


def closed_of(game: Game) -> PhaseClosed:
    (closed,) = (event for event in happened(game, NOW) if isinstance(event, PhaseClosed))
    return closed


def test_the_close_records_orders_verdicts_and_the_position_after() -> None:
    closed = closed_of(given(in_phase("S1901M", {"FRANCE": "A PAR"}), submit("FRANCE", "Par-Bur")))

    assert closed.phase == "S1901M"
    assert closed.orders == {"FRANCE": ("A PAR - BUR",)}
    assert closed.verdicts == (
        {
            "power": "FRANCE",
            "order": "A PAR - BUR",
            "verdict": {
                "is": "succeeds",
                "attack": {"is": "strength", "unit": "PAR", "supporters": (), "discounted": ()},
                "route": (),
            },
            "fate": None,
            "written": True,
        },
    )
    assert closed.after["phase"] == "F1901M"
    assert closed.after["units"] == {"FRANCE": ("A BUR",)}
    assert (closed.rulebook, closed.resolver) == ("datc", RESOLVER_VERSION)


def test_a_unit_without_an_order_holds_and_its_power_is_named() -> None:
    closed = closed_of(in_phase("S1901M", {"FRANCE": "A PAR"}))

    assert closed.nmr == ("FRANCE",)
    assert [(each["order"], each["written"]) for each in closed.verdicts] == [("A PAR H", False)]


def test_the_close_reveals_the_commitment_of_each_power() -> None:
    closed = closed_of(given(started(), submit("FRANCE", "A Par-Bur, A Mar-Spa")))
    digest = sha256(b"nonce\nA PAR - BUR\nA MAR - SPA\n").hexdigest()

    assert closed.commitments == {"FRANCE": {"digest": digest, "nonce": "nonce"}}


def test_units_removed_by_rule_are_named_with_their_power() -> None:
    game = in_phase("W1901A", {"FRANCE": "A PAR, A MAR"}, {"FRANCE": "PAR"})

    assert closed_of(game).removed == ("FRANCE A MAR",)


def test_the_next_phase_opens_at_once_with_the_next_number() -> None:
    game = started()
    closed, phase = happened(given(game, *all_hold(game)), look(DEADLINE))

    assert isinstance(closed, PhaseClosed)
    assert isinstance(phase, PhaseOpened)
    assert (closed.number, phase.number, phase.phase) == (1, 2, "F1901M")
    assert phase.deadline == "2026-12-03T20:00:00Z"
    assert phase.position == closed.after


def test_a_year_goes_from_spring_to_fall_to_builds_to_spring() -> None:
    game = in_phase("S1901M", {"FRANCE": "A PAR"}, {"FRANCE": "PAR"})
    game = given(game, submit("FRANCE", "Par-Gas"), NOW, submit("FRANCE", "Gas-Spa"), NOW)
    assert phase_of(game) == "W1901A"

    game = given(game, adjust("FRANCE", "Build A Par"), NOW)

    assert phase_of(game) == "S1902M"
    assert game.position
    assert [str(unit) for unit in game.position.units_of("FRANCE")] == ["A PAR", "A SPA"]


def test_phases_in_which_nobody_has_a_choice_are_closed_as_well() -> None:
    units = {"FRANCE": "A BUR, A PAR", "GERMANY": "A RUH"}
    game = in_phase("F1905M", units, {"FRANCE": "PAR MAR", "GERMANY": ""})

    events = happened(game, NOW)

    assert _steps(events) == _chain(("F1905M", "W1905A"), ("W1905A", "S1906M"))


def test_a_retreat_of_a_power_in_civil_disorder_is_not_waited_for() -> None:
    game = in_phase(
        "S1902M",
        {"AUSTRIA": "A TRI, A TYR", "ITALY": "A VEN, F NAP"},
        {"AUSTRIA": "TRI", "ITALY": "NAP"},
    )
    game = given(game, Resign("italy"), submit("AUSTRIA", "A Tri-Ven, A Tyr S A Tri-Ven"))

    passed, declared, *events = happened(game, look(MONDAY + 7 * DAY))

    assert (type(passed), type(declared)) == (DeadlinePassed, CivilDisorderDeclared)
    assert _steps(events) == _chain(("S1902M", "S1902R"), ("S1902R", "F1902M"))


def test_a_won_game_needs_no_further_tick() -> None:
    own = "PAR MAR BRE LON LVP EDI BER MUN KIE HOL BEL DEN SWE NWY SPA POR ROM NAP"
    game = in_phase("F1910M", {"FRANCE": "A APU", "ITALY": "A SMY"}, {"FRANCE": own})
    game = given(game, submit("FRANCE", "Apu H"), submit("ITALY", "Smy H"))

    assert happened(game, look(MONDAY + DAY))[-1] == GameEnded("F1910M", "solo", ("FRANCE",))


def test_eighteen_centers_after_fall_win() -> None:
    own = "PAR MAR BRE LON LVP EDI BER MUN KIE HOL BEL DEN SWE NWY SPA POR ROM"
    game = in_phase("F1910M", {"FRANCE": "A APU", "ITALY": "A SMY"}, {"FRANCE": own})

    closed, ended = happened(given(game, submit("FRANCE", "Apu-Nap")), NOW)

    assert isinstance(closed, PhaseClosed)
    assert ended == GameEnded("F1910M", "solo", ("FRANCE",))
    assert given(game, submit("FRANCE", "Apu-Nap"), NOW).stage is Stage.ENDED


def test_replaying_the_log_gives_the_game() -> None:
    assert replay(BOARD, ()) is None


def _steps(events: Sequence[Event]) -> list[tuple[type, str]]:
    return [(type(e), e.phase) for e in events if isinstance(e, PhaseClosed | PhaseOpened)]


def _chain(*phases: tuple[str, str]) -> list[tuple[type, str]]:
    return [
        step for closed, begun in phases for step in ((PhaseClosed, closed), (PhaseOpened, begun))
    ]
