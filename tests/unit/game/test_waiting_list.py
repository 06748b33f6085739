"""Admission to a game, the waiting list and offers of vacant powers."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.game.clock import CreditOutage, next_due_at
from judge.game.deadlines import Pause
from judge.game.decision import Why
from judge.game.game_state import Application, Game, Offer, Stage
from judge.game.house_rules import Entry, HouseRules, Start
from judge.game.players.joining import (
    AdmitPlayer,
    Begin,
    GameStarted,
    PlayerJoined,
    PlayerLeft,
    Resign,
)
from judge.game.players.seats import PowerTakenOver
from judge.game.players.standbys import (
    Decline,
    EntryRuled,
    JoinGame,
    OfferEnded,
    PlaceAsked,
    PlaceDenied,
    PlaceOffered,
    RuleEntry,
    StandBy,
    StandbyCame,
    StandbyWent,
)
from tests.unit.game.table import (
    BOARD,
    DAY,
    HOUR,
    MONDAY,
    after,
    created,
    draw,
    given,
    happened,
    look,
    refused,
    started,
)

BY_HAND = HouseRules(start=Start.BY_HAND)
APPROVAL = HouseRules(entry=Entry.APPROVAL)
PASSWORD = HouseRules(entry=Entry.PASSWORD)
UNTIL = "2026-11-24T12:00:00Z"


def join(person: str, power: str | None = None, *, by: str | None = None) -> JoinGame:
    return JoinGame(person, (), "seed", power, by=by)


def admit(person: str, *, yes: bool) -> AdmitPlayer:
    return AdmitPlayer(person, yes, "mod", "seed")


def full(rules: HouseRules = BY_HAND) -> Game:
    joins = (JoinGame(power.lower(), ((power,),), "seed", admitted=True) for power in BOARD.powers)
    return given(created(rules), *joins)


def without_italy(*waiting: str) -> Game:
    """Return a game that Italy has resigned from, with standbys in the order of *waiting*."""
    return given(started(), *map(StandBy, waiting), Resign("italy"), look(MONDAY))


# Admission


def test_a_game_with_a_password_takes_those_who_know_it() -> None:
    knows = JoinGame("anna", (), "seed", admitted=True)

    assert refused(created(PASSWORD), join("anna")) is Why.WRONG_PASSWORD
    assert refused(created(PASSWORD), StandBy("anna")) is Why.WRONG_PASSWORD
    assert happened(created(PASSWORD), knows) == (PlayerJoined("anna", ()),)
    assert happened(created(PASSWORD), StandBy("anna", admitted=True)) == (
        StandbyCame("anna", ()),
    )


def test_a_person_the_moderator_admits_needs_nothing_else() -> None:
    game = given(created(PASSWORD), RuleEntry("anna", "allowed", "mod"))

    assert happened(game, join("anna")) == (PlayerJoined("anna", ()),)
    assert happened(game, StandBy("anna")) == (StandbyCame("anna", ()),)
    assert refused(game, RuleEntry("anna", "allowed", "mod")) is Why.NOTHING_CHANGED


def test_a_banned_person_joins_only_with_the_moderators_consent() -> None:
    denied = given(created(), RuleEntry("anna", "denied", "mod"))

    assert refused(denied, join("anna")) is Why.DENIED
    assert refused(denied, StandBy("anna")) is Why.DENIED
    assert happened(denied, JoinGame("anna", (), "seed", by="mod"))
    assert happened(given(denied, RuleEntry("anna", "lifted", "mod")), join("anna"))
    assert refused(created(), RuleEntry("anna", "lifted", "mod")) is Why.NOTHING_CHANGED


def test_banning_a_person_removes_their_requests() -> None:
    asked = given(created(APPROVAL), join("anna"))
    waits = given(started(), StandBy("anna"))
    deny = RuleEntry("anna", "denied", "mod")

    assert happened(asked, deny) == (
        EntryRuled("anna", "denied", "mod"),
        PlaceDenied("anna", "mod"),
    )
    assert happened(waits, deny) == (
        EntryRuled("anna", "denied", "mod"),
        StandbyWent("anna"),
    )


def test_a_game_with_approval_asks_its_moderator() -> None:
    asks = JoinGame("anna", (("ITALY",),), "seed")
    asked = given(created(APPROVAL), asks)

    assert happened(created(APPROVAL), asks) == (PlaceAsked("anna", (("ITALY",),), None),)
    assert asked.joined == {}
    assert asked.applicants == {"anna": Application((("ITALY",),), None)}
    assert refused(asked, asks) is Why.NOTHING_CHANGED
    assert not asked.knows("anna")


def test_an_admitted_player_keeps_their_preferences() -> None:
    asked = given(created(APPROVAL), JoinGame("anna", (("ITALY",),), "seed"))

    events = happened(asked, admit("anna", yes=True))

    assert events == (PlayerJoined("anna", (("ITALY",),)),)
    assert given(asked, admit("anna", yes=True)).applicants == {}


def test_a_refused_applicant_may_ask_again() -> None:
    asked = given(created(APPROVAL), join("anna"))

    assert happened(asked, admit("anna", yes=False)) == (PlaceDenied("anna", "mod"),)
    denied = given(asked, admit("anna", yes=False))
    assert refused(denied, admit("anna", yes=True)) is Why.NOBODY_ASKS
    assert given(denied, join("anna")).applicants


def test_admitting_the_last_player_starts_the_game() -> None:
    game = created(APPROVAL)
    for power in BOARD.powers:
        game = given(game, JoinGame(power.lower(), ((power,),), "seed"))
    for power in BOARD.powers[:-1]:
        game = given(game, admit(power.lower(), yes=True))

    assert game.stage is Stage.FORMING
    assert isinstance(happened(game, admit("turkey", yes=True))[1], GameStarted)


def test_taking_over_needs_approval_except_for_the_former_player() -> None:
    left = given(full(HouseRules(entry=Entry.APPROVAL)), Resign("italy"))

    assert happened(left, join("anna", "ITALY")) == (PlaceAsked("anna", (), "ITALY"),)
    assert refused(left, join("anna", "FRANCE")) is Why.NO_VACANCY
    assert isinstance(happened(left, join("italy", "ITALY"))[0], PowerTakenOver)
    asked = given(left, join("anna", "ITALY"))
    taken = given(asked, admit("anna", yes=True))
    assert taken.seats["ITALY"].person == "anna"


def test_an_applicant_admitted_too_late_waits() -> None:
    left = given(full(APPROVAL), Resign("italy"), join("anna", "ITALY"), join("italy", "ITALY"))

    assert given(left, admit("anna", yes=True)).standbys == {"anna": ()}


def test_standing_by_needs_the_moderator_too() -> None:
    assert happened(full(APPROVAL), StandBy("anna")) == (PlaceAsked("anna", (), None),)


# The waiting list


@pytest.mark.parametrize("game", [full(), started()], ids=["forming", "playing"])
def test_a_full_game_has_a_waiting_list(game: Game) -> None:
    assert happened(game, join("anna")) == (StandbyCame("anna", ()),)

    waiting = given(game, join("anna"), join("bert"))

    assert list(waiting.standbys) == ["anna", "bert"]
    assert refused(waiting, join("anna")) is Why.ALREADY_WAITING
    assert refused(waiting, StandBy("bert")) is Why.ALREADY_WAITING
    assert waiting.knows("anna")


def test_an_unlisted_game_has_a_waiting_list_for_those_who_may_know_of_it() -> None:
    game = full(HouseRules(listed=False, entry=Entry.PASSWORD))

    assert refused(game, StandBy("anna")) is Why.NO_SUCH_GAME
    assert refused(started(HouseRules(listed=False)), join("anna")) is Why.NO_SUCH_GAME
    assert happened(game, StandBy("anna", admitted=True))
    assert happened(game, JoinGame("anna", (), "seed", admitted=True))


@pytest.mark.parametrize("game", [full(), started()], ids=["forming", "playing"])
def test_players_cannot_stand_by(game: Game) -> None:
    assert refused(game, StandBy("italy")) is Why.ALREADY_IN
    assert refused(game, join("italy")) is Why.ALREADY_IN


def test_a_game_that_is_over_offers_nothing() -> None:
    over = given(started(), *map(draw, BOARD.powers))

    assert refused(over, StandBy("anna")) is Why.GAME_OVER


def test_a_place_that_becomes_free_before_the_start_goes_to_the_first_who_waits() -> None:
    waiting = given(full(), JoinGame("anna", (("ITALY",),), "seed"), join("bert"))

    assert happened(waiting, Resign("italy")) == (
        PlayerLeft("italy"),
        PlayerJoined("anna", (("ITALY",),)),
    )
    assert list(given(waiting, Resign("italy")).standbys) == ["bert"]


def test_a_standby_may_withdraw() -> None:
    waiting = given(started(), StandBy("anna"))

    assert happened(waiting, StandBy("anna", on=False)) == (StandbyWent("anna"),)
    assert refused(started(), StandBy("anna", on=False)) is Why.NOTHING_CHANGED


# Offers


def test_the_longest_waiting_standby_is_asked_first_for_a_limited_time() -> None:
    game = without_italy("anna", "bert")

    assert game.offers == {"ITALY": Offer("anna", MONDAY + DAY)}
    assert next_due_at(BOARD, game) == MONDAY + DAY


def test_two_powers_are_offered_to_two_standbys() -> None:
    game = given(without_italy("anna", "bert"), Resign("france"), look(MONDAY))

    assert {power: offer.person for power, offer in game.offers.items()} == {
        "ITALY": "anna",
        "FRANCE": "bert",
    }


def test_a_new_standby_is_asked_at_once_also_in_a_pause() -> None:
    game = given(started(), Resign("italy"), Pause("ill", "mod"), StandBy("anna"))

    assert happened(game, look(MONDAY)) == (PlaceOffered("ITALY", "anna", UNTIL),)


def test_the_standby_who_was_asked_takes_the_power() -> None:
    game = without_italy("anna", "bert")

    for word in (join("anna"), join("anna", "ITALY")):
        taken = given(game, word)
        assert taken.seats["ITALY"].person == "anna"
        assert list(taken.standbys) == ["bert"]
        assert taken.offers == {}


def test_an_offered_power_is_not_offered_to_another() -> None:
    game = without_italy("anna")

    assert happened(game, join("carl", "ITALY")) == (StandbyCame("carl", ()),)
    assert happened(game, join("carl")) == (StandbyCame("carl", ()),)
    assert refused(without_italy("anna", "bert"), join("bert", "ITALY")) is Why.ALREADY_WAITING


def test_the_former_player_may_return_until_the_power_is_taken() -> None:
    assert given(without_italy("anna"), join("italy", "ITALY")).seats["ITALY"].person == "italy"


def test_the_moderator_may_assign_an_offered_power() -> None:
    game = without_italy("anna")

    taken = given(game, join("carl", "ITALY", by="mod"))

    assert taken.seats["ITALY"].person == "carl"
    assert taken.offers == {}
    assert list(taken.standbys) == ["anna"]


def test_the_next_is_asked_when_one_declines() -> None:
    game = without_italy("anna", "bert")

    declined = (OfferEnded("ITALY", "anna", "declined"), StandbyWent("anna"))
    assert happened(game, Decline("anna")) == declined
    assert happened(game, StandBy("anna", on=False)) == declined
    assert refused(game, Decline("bert")) is Why.NO_OFFER
    assert given(game, Decline("anna"), look(MONDAY)).offers["ITALY"].person == "bert"


def test_a_standby_who_does_not_answer_is_dropped_and_the_next_asked() -> None:
    game = without_italy("anna", "bert")

    assert happened(game, look(MONDAY + DAY - HOUR)) == ()
    events = happened(game, look(MONDAY + DAY))

    assert events == (
        OfferEnded("ITALY", "anna", "lapsed"),
        StandbyWent("anna"),
        PlaceOffered("ITALY", "bert", "2026-11-25T12:00:00Z"),
    )


def test_an_outage_extends_an_offer() -> None:
    game = without_italy("anna")

    events = happened(game, CreditOutage(MONDAY + HOUR), MONDAY + 4 * HOUR)

    assert events[-1] == PlaceOffered("ITALY", "anna", "2026-11-24T15:00:00Z")
    gone = given(without_italy("anna"), Decline("anna"))
    assert not any(
        isinstance(each, PlaceOffered)
        for each in happened(gone, CreditOutage(MONDAY + HOUR), MONDAY + 4 * HOUR)
    )


def test_each_offer_has_its_own_time() -> None:
    game = without_italy("anna", "bert")
    game = after(game, *happened(game, Resign("france"), MONDAY + HOUR))
    game = after(game, *happened(game, look(MONDAY + HOUR), MONDAY + HOUR))

    assert game.offers["FRANCE"].until == MONDAY + DAY + HOUR
    assert list(given(game, look(MONDAY + DAY)).offers) == ["FRANCE"]
    back = happened(game, CreditOutage(MONDAY + DAY), MONDAY + DAY + 2 * HOUR)
    assert [each.power for each in back if isinstance(each, PlaceOffered)] == ["FRANCE"]


def test_an_offer_outlasts_the_wait_of_the_game() -> None:
    rules = HouseRules(claim_hours=72 * HOUR, takeover_hours=48 * HOUR)
    game = given(started(rules), StandBy("anna"), Resign("italy"), look(MONDAY))

    later = given(game, look(MONDAY + timedelta(hours=49)))

    assert later.offers["ITALY"].person == "anna"
    assert given(later, join("anna")).seats["ITALY"].person == "anna"


def test_dummies_are_offered_too() -> None:
    game = given(full(), Resign("italy"), Resign("france"))
    game = given(game, Begin("mod", "seed"), StandBy("anna"), look(MONDAY))

    assert [offer.person for offer in game.offers.values()] == ["anna"]
