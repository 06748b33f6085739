"""Creating, joining, starting and leaving a game."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from judge.event_log import Recorded, Value
from judge.game.clock import Tick
from judge.game.decision import Refused, Why
from judge.game.events import evolve
from judge.game.game_state import Seat, SeatState, Stage
from judge.game.house_rules import HouseRules, Start
from judge.game.phases import PhaseOpened
from judge.game.players.creation import BoardRecorded, CreateGame, GameCreated, board_in
from judge.game.players.joining import (
    Begin,
    GameStarted,
    PlayerJoined,
    PlayerLeft,
    PreferencesSet,
    Resign,
    SetPreferences,
)
from judge.game.players.seats import PowerTakenOver, PowerVacated
from judge.game.players.standbys import JoinGame
from judge.game.voting import GameEnded
from judge.rules.rulebook import DATC, to_payload
from tests.unit.game.table import (
    BOARD,
    DEADLINE,
    MONDAY,
    STANDARD,
    ask,
    created,
    draw,
    given,
    happened,
    in_phase,
    look,
    refused,
    started,
)


def create(name: str, rules: HouseRules = STANDARD) -> CreateGame:
    return CreateGame(name, "standard", DATC, rules)


def join(person: str, *preferences: str, power: str | None = None) -> JoinGame:
    return JoinGame(person, tuple((each,) for each in preferences), "seed", power)


def test_creating_a_game_copies_all_its_rules_into_the_log() -> None:
    (event,) = happened(None, create("lepanto"))

    assert isinstance(event, GameCreated)
    assert event.rulebook == to_payload(DATC)
    assert event.house_rules["closed_weekdays"] == (6, 7)
    assert event.house_rules["nmr"] == "standby"


def test_a_game_keeps_a_board_of_its_own_in_its_log() -> None:
    kept = BoardRecorded("digest", {"variant.toml": "..."}, {})
    made, board = happened(None, replace(create("lepanto"), board=kept))

    game = evolve(BOARD, evolve(BOARD, None, made), board)

    assert game.board_digest == "digest"
    log = [
        Recorded("lepanto", number, datetime(2026, 11, 23, tzinfo=UTC), event, "")
        for number, event in enumerate((made, board), 1)
    ]
    assert board_in(log) == kept
    assert board_in(log[:1]) is None


@pytest.mark.parametrize("stored", [{}, {"closing_time": "20:00"}])
def test_a_game_from_before_closing_times_of_their_own_closes_at_20_00(
    stored: dict[str, Value],
) -> None:
    (new,) = happened(None, create("lepanto"))
    assert isinstance(new, GameCreated)
    rules = {name: value for name, value in new.house_rules.items() if name != "closing_time"}

    game = evolve(BOARD, None, replace(new, house_rules=rules | stored))
    game = given(game, *(join(power.lower(), power) for power in BOARD.powers))

    assert game.phase
    assert game.phase.deadline == DEADLINE


@pytest.mark.parametrize("name", ["a", "lepanto", "x-2", "a234567890123456"])
def test_a_name_is_short_and_begins_with_a_letter(name: str) -> None:
    assert happened(None, create(name))


@pytest.mark.parametrize("name", ["", "2x", "-x", "Lepanto", "le panto", "a2345678901234567", "ä"])
def test_other_names_are_refused(name: str) -> None:
    assert refused(None, create(name)) is Why.BAD_NAME


def test_a_name_is_used_once() -> None:
    assert refused(created(), create("lepanto")) is Why.GAME_EXISTS


def test_house_rules_by_which_no_phase_could_close_are_refused() -> None:
    assert refused(None, create("x", HouseRules(zone="Mars/Olympus"))) is Why.BAD_HOUSE_RULES


def test_there_must_be_a_game() -> None:
    assert refused(None, join("ann")) is Why.NO_SUCH_GAME


def test_a_person_joins_with_preferences() -> None:
    assert happened(created(), join("ann", "FRANCE", "ITALY")) == (
        PlayerJoined("ann", (("FRANCE",), ("ITALY",))),
    )


def test_a_person_joins_once() -> None:
    assert refused(given(created(), join("ann")), join("ann")) is Why.ALREADY_IN


@pytest.mark.parametrize("command", [join("bob", "SPAIN"), SetPreferences("ann", (("SPAIN",),))])
def test_only_powers_of_the_board_can_be_preferred(command: JoinGame | SetPreferences) -> None:
    assert refused(given(created(), join("ann")), command) is Why.UNKNOWN_POWER


def test_preferences_can_be_changed_before_the_start() -> None:
    game = given(created(), join("ann", "FRANCE"))

    assert happened(game, SetPreferences("ann", (("ITALY",),))) == (
        PreferencesSet("ann", (("ITALY",),)),
    )
    assert given(game, SetPreferences("ann", (("ITALY",),))).joined == {"ann": (("ITALY",),)}
    assert refused(game, SetPreferences("bob", ())) is Why.NOT_A_PLAYER
    assert refused(started(), SetPreferences("france", ())) is Why.ALREADY_STARTED


def test_the_seventh_player_starts_the_game() -> None:
    game = created()
    for person in "abcdef":
        game = given(game, join(person, "FRANCE"))

    joined, begun, opened = happened(game, join("g", "ITALY"))

    assert joined == PlayerJoined("g", (("ITALY",),))
    assert isinstance(begun, GameStarted)
    assert begun.seats["ITALY"] == "g"
    assert set(begun.seats) == set(BOARD.powers)
    assert isinstance(opened, PhaseOpened)
    assert (opened.phase, opened.number) == ("S1901M", 1)
    assert opened.opened == "2026-11-23T12:00:00Z"
    assert opened.deadline == "2026-11-30T20:00:00Z"
    assert opened.grace_end == "2026-12-01T20:00:00Z"


def test_before_the_start_nothing_is_ever_due() -> None:
    assert happened(created(), Tick(MONDAY)) == ()


def test_leaving_before_the_start_frees_the_place() -> None:
    game = given(created(), join("ann"))

    assert happened(game, Resign("ann")) == (PlayerLeft("ann"),)
    assert given(game, Resign("ann")).joined == {}
    assert refused(game, Resign("bob")) is Why.NOT_A_PLAYER


def test_a_resignation_leaves_a_vacant_seat() -> None:
    game = started()

    assert happened(game, Resign("turkey")) == (
        PowerVacated("TURKEY", "turkey", "S1901M", "resigned", "2026-11-30T12:00:00Z"),
    )
    assert given(game, Resign("turkey")).seats["TURKEY"].state is SeatState.VACANT
    assert refused(game, Resign("nobody")) is Why.NOT_A_PLAYER


def test_a_vacant_power_is_taken_over_by_name_or_as_the_first_there_is() -> None:
    game = given(started(), Resign("turkey"), Resign("england"))

    assert happened(game, join("new", power="TURKEY"))[0] == PowerTakenOver(
        "TURKEY", "new", "S1901M"
    )
    assert happened(game, join("new"))[0] == PowerTakenOver("ENGLAND", "new", "S1901M")


def test_a_power_that_is_played_or_is_none_cannot_be_joined() -> None:
    assert refused(started(), join("new", power="TURKEY")) is Why.NO_VACANCY
    assert refused(started(), join("new", power="SPAIN")) is Why.UNKNOWN_POWER


def test_one_person_plays_one_power() -> None:
    game = given(started(), Resign("turkey"))

    assert refused(game, join("france", power="TURKEY")) is Why.ALREADY_IN
    assert refused(game, join("france", power="FRANCE")) is Why.ALREADY_IN


def test_a_player_who_resigned_may_return_only_to_their_own_power() -> None:
    game = given(started(), Resign("turkey"), Resign("england"))

    assert happened(game, join("turkey", power="TURKEY"))
    assert refused(game, join("turkey", power="ENGLAND")) is Why.ALREADY_IN


def test_an_eliminated_power_cannot_be_taken_over() -> None:
    game = given(in_phase("S1905M", {"FRANCE": "A PAR"}), Resign("italy"))

    assert refused(game, join("new", power="ITALY")) is Why.NO_VACANCY


def test_a_resignation_may_leave_only_those_who_want_a_draw() -> None:
    game = given(started(), *(draw(power) for power in BOARD.powers if power != "TURKEY"))

    assert happened(game, Resign("turkey"))[-1] == GameEnded("S1901M", "draw", BOARD.powers)


def test_after_the_end_nobody_comes_or_goes() -> None:
    game = given(started(), *map(draw, BOARD.powers))

    assert game.stage is Stage.ENDED
    assert refused(game, join("new")) is Why.GAME_OVER
    assert refused(game, Resign("france")) is Why.GAME_OVER
    assert ask(game, draw("FRANCE")) == Refused(Why.GAME_OVER)
    assert happened(game, look(MONDAY)) == ()


def test_a_game_knows_who_takes_part() -> None:
    game = given(created(), join("ann"))

    assert all(map(game.knows, ("ann", "mod")))
    assert started().knows("turkey")
    assert not game.knows("turkey")


BY_HAND = HouseRules(start=Start.BY_HAND)
BEGIN = Begin("mod", "seed")


def test_a_game_may_wait_for_its_moderator_to_begin_it() -> None:
    joins = [JoinGame(power.lower(), ((power,),), "seed") for power in BOARD.powers]
    full = given(created(BY_HAND), *joins)

    assert full.stage is Stage.FORMING
    assert given(full, BEGIN).seats["FRANCE"].person == "france"


def test_powers_for_whom_there_is_nobody_are_dummies_until_somebody_takes_them_over() -> None:
    joins = [JoinGame(power.lower(), ((power,),), "seed") for power in ("FRANCE", "ITALY")]
    game = given(created(), *joins, BEGIN)

    assert game.seats["TURKEY"] == Seat(None, SeatState.CIVIL_DISORDER)
    assert list(game.seats) == list(BOARD.powers)
    taken = given(game, JoinGame("anna", (), "seed", "TURKEY"))
    assert taken.seats["TURKEY"].person == "anna"


def test_a_game_begins_once_and_not_with_one_player() -> None:
    alone = given(created(), JoinGame("france", (("FRANCE",),), "seed"))

    assert refused(alone, BEGIN) is Why.TOO_FEW
    assert refused(started(), BEGIN) is Why.ALREADY_STARTED
