"""The parts of a game that each reader may see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.game_state import Game, SeatState
from judge.game.house_rules import HOUR, HouseRules, ModeratorSees
from judge.game.visibility import (
    GameView,
    Inspector,
    Moderator,
    Observer,
    Operator,
    Player,
    Reader,
    sees_contacts,
    sees_orders,
    view,
)
from tests.unit.game.table import (
    BOARD,
    DEADLINE,
    STANDARD,
    all_hold,
    concede,
    created,
    draw,
    given,
    look,
    ready,
    started,
    submit,
    wait,
)

FRANCE = Player("FRANCE")
TURKEY = Player("TURKEY")
EVERYBODY: list[Reader] = [FRANCE, Moderator(), Operator(), Inspector(), Observer()]


def busy(rules: HouseRules = STANDARD) -> Game:
    """Return a game in which France has ordered, voted and set WAIT and READY."""
    said = (submit("FRANCE", "A Par-Bur"), wait("FRANCE"), ready("FRANCE"), draw("FRANCE"))
    return given(started(rules), *said, concede("FRANCE", "ITALY"))


def seen(game: Game, reader: Reader) -> GameView:
    found = view(game, reader)
    assert found.phase
    return found


def test_a_player_sees_their_own_orders_and_votes() -> None:
    found = seen(busy(), FRANCE)

    assert found.phase
    assert found.phase.standing == {"FRANCE": ("A PAR - BUR",)}
    assert found.phase.ordered == {"FRANCE"}
    assert found.phase.waiting == {"FRANCE"}
    assert found.phase.ready == {"FRANCE"}
    assert found.draw_votes == {"FRANCE"}
    assert found.concessions == {"FRANCE": "ITALY"}


@pytest.mark.parametrize("reader", [TURKEY, Observer()], ids=["another player", "an observer"])
def test_others_see_no_orders_or_votes(reader: Reader) -> None:
    assert seen(busy(), reader) == seen(started(), reader)


@pytest.mark.parametrize("reader", [Moderator(), Operator()], ids=["moderator", "operator"])
def test_moderators_and_operators_see_who_has_ordered_but_not_what(reader: Reader) -> None:
    found = seen(busy(), reader)

    assert found.phase
    assert found.phase.ordered == {"FRANCE"}
    assert found.phase.standing == {}
    assert found.phase.waiting == frozenset()
    assert found.draw_votes == frozenset()


def test_an_inspector_sees_the_orders() -> None:
    found = seen(busy(), Inspector())

    assert found.phase
    assert found.phase.standing == {"FRANCE": ("A PAR - BUR",)}


def test_a_moderator_who_does_not_play_sees_orders_if_the_rules_say_so() -> None:
    game = busy(HouseRules(moderator_sees=ModeratorSees.ORDERS))
    of_moderator, of_player = (
        seen(game, Moderator()),
        seen(replace(game, moderator="turkey"), Moderator()),
    )

    assert of_moderator.phase
    assert of_player.phase
    assert of_moderator.phase.standing == {"FRANCE": ("A PAR - BUR",)}
    assert of_player.phase.standing == {}


@pytest.mark.parametrize("reader", EVERYBODY, ids=lambda each: type(each).__name__)
def test_late_players_are_visible_only_after_the_deadline(reader: Reader) -> None:
    game = started(HouseRules(first_spring_extension_hours=0 * HOUR))
    game = given(game, *all_hold(game, but="TURKEY"))
    before, after = seen(game, reader), seen(given(game, look(DEADLINE)), reader)

    assert before.phase
    assert after.phase
    assert before.phase.late == frozenset()
    assert after.phase.late == {"TURKEY"}


@pytest.mark.parametrize("reader", EVERYBODY, ids=lambda each: type(each).__name__)
def test_everybody_sees_the_board_and_who_plays(reader: Reader) -> None:
    found = view(started(), reader)

    assert found.position == BOARD.start
    assert found.seats["TURKEY"] == (SeatState.PLAYED, None)
    assert found.people["TURKEY"] == "turkey"


@pytest.mark.parametrize(
    ("reader", "powers"),
    [
        (FRANCE, {"FRANCE"}),
        (Observer(), set()),
        (Moderator(), set(BOARD.powers)),
        (Operator(), set(BOARD.powers)),
    ],
    ids=["player", "observer", "moderator", "operator"],
)
def test_in_gunboat_only_moderators_and_operators_know_the_players(
    reader: Reader, powers: set[str]
) -> None:
    assert set(view(started(HouseRules(anonymous=True)), reader).people) == powers


def test_before_the_start_there_is_only_the_number_of_those_who_joined() -> None:
    found = view(created(), Observer())

    assert (found.joined, found.people, found.phase) == (0, {}, None)


def test_only_these_readers_see_all_orders() -> None:
    shown = started(replace(STANDARD, moderator_sees=ModeratorSees.ORDERS))

    assert [reader for reader in EVERYBODY if sees_orders(shown, reader)] == [
        Moderator(),
        Inspector(),
    ]
    assert [reader for reader in EVERYBODY if sees_orders(started(), reader)] == [Inspector()]


def test_a_moderator_who_does_not_play_sees_who_the_players_are_and_no_player_does() -> None:
    game = replace(started(), moderator="somebody else")

    assert {type(each) for each in EVERYBODY if sees_contacts(game, each)} == {
        *(Moderator, Operator, Inspector)
    }


def test_a_moderator_who_plays_or_has_joined_does_not_see_who_the_players_are() -> None:
    game = started()
    playing = replace(game, moderator=game.seats["FRANCE"].person)
    joined = replace(game, seats={}, joined={"anna": ()}, moderator="anna")

    assert not any(sees_contacts(playing, each) for each in EVERYBODY)
    assert not any(sees_contacts(joined, each) for each in EVERYBODY)
    assert sees_contacts(replace(game, moderator=None), Operator())
