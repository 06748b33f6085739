"""Every verdict carries its cause."""

from __future__ import annotations

import pytest

from judge.rules.outcomes import (
    RESULT_MARKS,
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    Fails,
    HeadOn,
    HeldOff,
    Illegal,
    Impossible,
    Invalid,
    OwnUnit,
    Stands,
    StoodOff,
    Strength,
    Succeeds,
    Unmatched,
    result_marks,
    result_words,
)
from judge.rules.types import Hold, UnitKind, UnitName
from tests.unit.rules.play_phase import (
    Written,
    fate_in,
    ordered,
    outcome_in,
    played,
    standing,
    verdict_in,
)


def test_equal_attacks_on_an_empty_province_bounce() -> None:
    result = played({"GERMANY": ["A BER - SIL"], "RUSSIA": ["A WAR - SIL"]})

    assert verdict_in(result, "BER") == Fails(StoodOff(Strength("BER"), (Strength("WAR"),)))
    assert result.contested == {"SIL"}


def test_only_rivals_at_least_as_strong_are_named() -> None:
    result = played(
        {
            "GERMANY": ["A BER - SIL", "A MUN S A BER - SIL"],
            "RUSSIA": ["A WAR - SIL", "A GAL S A WAR - SIL"],
            "AUSTRIA": ["A BOH - SIL"],
        }
    )

    attack, rival = Strength("BER", ("MUN",)), Strength("WAR", ("GAL",))
    assert verdict_in(result, "BER") == Fails(StoodOff(attack, (rival,)))


def test_an_unsupported_move_names_the_supports_of_its_rival() -> None:
    result = played({"GERMANY": ["A BER - SIL"], "RUSSIA": ["A WAR - SIL", "A GAL S A WAR - SIL"]})

    rival = Strength("WAR", ("GAL",))
    assert verdict_in(result, "BER") == Fails(StoodOff(Strength("BER"), (rival,)))


def test_two_units_behind_one_that_fails_to_move_bounce() -> None:
    result = played(
        {
            "AUSTRIA": ["A SIL - WAR"],
            "GERMANY": ["A BER - SIL"],
            "ITALY": ["A BOH - SIL"],
            "RUSSIA": ["A WAR H"],
        }
    )

    assert verdict_in(result, "BER") == Fails(StoodOff(Strength("BER"), (Strength("BOH"),)))
    assert verdict_in(result, "SIL") == Fails(HeldOff(Strength("SIL"), Strength("WAR")))


def test_the_shortest_of_two_convoy_paths_is_reported() -> None:
    result = played({"ENGLAND": ["A LON - BEL VIA", "F NTH C A LON - BEL", "F ENG C A LON - BEL"]})

    assert verdict_in(result, "LON") == Succeeds(Strength("LON"), ("ENG",))


def test_a_unit_that_stays_holds_off_an_equal_attack() -> None:
    result = played({"AUSTRIA": ["A TRI - VEN"], "ITALY": ["A VEN H", "A TYR S A VEN"]})

    assert verdict_in(result, "TRI") == Fails(HeldOff(Strength("TRI"), Strength("VEN", ("TYR",))))


def test_two_units_cannot_swap_places_by_land() -> None:
    result = played({"AUSTRIA": ["A TRI - VEN"], "ITALY": ["A VEN - TRI"]})

    assert verdict_in(result, "TRI") == Fails(HeadOn(Strength("TRI"), Strength("VEN")))


def test_no_power_dislodges_its_own_unit() -> None:
    result = played({"GERMANY": ["A BER H", "F KIE - BER", "A MUN S F KIE - BER"]})

    attack = Strength("KIE", (), discounted=("MUN",))
    assert verdict_in(result, "KIE") == Fails(OwnUnit(attack, "BER"))


def test_supports_against_a_units_own_power_are_named() -> None:
    orders = ["F ION H", "F APU - ION", "F EAS S F APU - ION", "F TYS S F APU - ION"]
    result = played({"ITALY": orders})

    attack = Strength("APU", (), discounted=("EAS", "TYS"))
    assert verdict_in(result, "APU") == Fails(OwnUnit(attack, "ION"))


def test_support_of_the_own_power_is_discounted_against_its_unit() -> None:
    result = played({"AUSTRIA": ["F TRI H", "A VIE S A VEN - TRI"], "ITALY": ["A VEN - TRI"]})

    attack = Strength("VEN", (), discounted=("VIE",))
    assert verdict_in(result, "VEN") == Fails(HeldOff(attack, Strength("TRI")))


def test_a_move_tells_the_supports_that_carried_it() -> None:
    result = played({"GERMANY": ["A MUN - TYR", "A BOH S A MUN - TYR"]})

    assert verdict_in(result, "MUN") == Succeeds(Strength("MUN", ("BOH",)))


def test_a_convoyed_move_tells_its_route() -> None:
    result = played(
        {
            "ENGLAND": ["A LON - TUN", "F ENG C A LON - TUN", "F MAO C A LON - TUN"],
            "ITALY": ["F WES C A LON - TUN"],
        }
    )

    assert verdict_in(result, "LON") == Succeeds(Strength("LON"), ("ENG", "MAO", "WES"))
    assert verdict_in(result, "WES") == Available()


def test_a_disrupted_convoy_names_the_fleet_and_the_fleet_its_attacker() -> None:
    result = played(
        {
            "ENGLAND": ["A LON - HOL", "F NTH C A LON - HOL"],
            "GERMANY": ["F SKA - NTH", "F HEL S F SKA - NTH"],
        }
    )

    assert verdict_in(result, "LON") == Fails(ConvoyBroken(("NTH",)))
    assert verdict_in(result, "NTH") == Disrupted("SKA")


def test_a_convoy_that_depends_on_itself_fails() -> None:
    result = played(
        {
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
            "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
            "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG"],
        }
    )

    assert verdict_in(result, "BRE") == Fails(ConvoyParadox(("ENG",)))
    assert verdict_in(result, "ENG") == Disrupted(None)


def test_a_cut_support_names_who_cut_it() -> None:
    result = played({"AUSTRIA": ["F ADR S A TRI - VEN", "A TRI - VEN"], "ITALY": ["F ION - ADR"]})

    assert verdict_in(result, "ADR") == Cut("ION")


def test_a_dislodged_unit_learns_by_whom_how_strong_and_where_it_may_go() -> None:
    result = played({"RUSSIA": ["F CON S F BLA - ANK", "F BLA - ANK"], "TURKEY": ["F ANK H"]})

    assert fate_in(result, "ANK") == Dislodged("BLA", Strength("BLA", ("CON",)), ("ARM",))


def test_a_unit_with_nowhere_to_go_is_destroyed_at_once() -> None:
    result = played(
        {
            "RUSSIA": ["F CON S F BLA - ANK", "F BLA - ANK", "A ARM H"],
            "TURKEY": ["F ANK H"],
        }
    )

    assert fate_in(result, "ANK") == Destroyed("BLA", Strength("BLA", ("CON",)))
    assert result.after.phase.code == "F1901M"


def test_void_support_tells_what_was_ordered_instead() -> None:
    result = played({"ITALY": ["A VEN - TRI", "A TYR S A VEN"], "AUSTRIA": ["A ALB S A SER"]})
    moved = ordered(
        standing({"AUSTRIA": ["A TRI", "A VIE"]}),
        {"AUSTRIA": ["A TRI H", "A VIE S A TRI - BUD"]},
    )

    move = outcome_in(result, "VEN").order
    assert verdict_in(result, "TYR") == Invalid(Unmatched.SUPPORTED_MOVES, move)
    hold = Hold(UnitName(UnitKind.ARMY, "TRI"))
    assert verdict_in(moved, "VIE") == Invalid(Unmatched.NO_SUCH_MOVE, hold)


def test_the_order_given_instead_may_be_impossible() -> None:
    orders = {"ENGLAND": ["F IRI C A BRE - BEL", "F BEL S F IRI - ENG"]}

    result = played(orders)

    convoy = outcome_in(result, "IRI").order
    assert verdict_in(result, "IRI") == Illegal(Impossible.NO_OTHER_UNIT)
    assert verdict_in(result, "BEL") == Invalid(Unmatched.NO_SUCH_MOVE, convoy)


def test_void_convoys_tell_why() -> None:
    result = played(
        {
            "ENGLAND": ["A LON H", "F NTH C A LON - HOL", "A YOR - NWY"],
        }
    )

    held = outcome_in(result, "LON").order
    assert verdict_in(result, "NTH") == Invalid(Unmatched.ARMY_NOT_CONVOYED, held)
    assert verdict_in(result, "YOR") == Invalid(Unmatched.NO_CONVOY)


def test_a_unit_without_an_order_is_supposed_to_hold() -> None:
    result = ordered(standing({"FRANCE": ["A PAR", "A MAR"]}), {"FRANCE": ["A PAR H"]})

    (silent,) = result.unordered
    assert silent.order == Hold(UnitName(UnitKind.ARMY, "MAR"))
    assert silent.verdict == Stands()
    assert not silent.written


def test_the_fate_of_a_unit_stands_with_the_order_that_counts() -> None:
    result = ordered(
        standing({"TURKEY": ["F ANK"], "RUSSIA": ["F BLA", "F CON"]}),
        {
            "TURKEY": ["F ANK - MOS", "F ANK H", "F ANK - ARM"],
            "RUSSIA": ["F BLA - ANK", "F CON S F BLA - ANK", "F ANK H"],
        },
    )

    assert [result_words(outcome) for outcome in result.outcomes] == [
        ("illegal",),
        ("dislodged",),
        ("illegal",),
        ("succeeds",),
        ("given",),
        ("illegal",),
    ]


def test_the_fate_of_a_unit_stands_with_an_impossible_order_if_it_has_no_other() -> None:
    result = played({"RUSSIA": ["F BLA - ANK", "F CON S F BLA - ANK"], "TURKEY": ["F ANK - MOS"]})

    assert verdict_in(result, "ANK") == Illegal(Impossible.NO_FLEET_INLAND)
    assert result_words(outcome_in(result, "ANK")) == ("illegal", "dislodged")


def test_a_unit_following_its_dislodged_own_unit_loses_to_the_attacker() -> None:
    result = played(
        {
            "ENGLAND": ["F NTH H", "F YOR - NTH"],
            "GERMANY": ["F HEL - NTH", "F DEN S F HEL - NTH"],
        }
    )

    assert verdict_in(result, "YOR") == Fails(
        StoodOff(Strength("YOR"), (Strength("HEL", ("DEN",)),))
    )


@pytest.mark.parametrize(
    ("province", "orders", "marks"),
    [
        pytest.param("PAR", {"FRANCE": ["A PAR - BUR"]}, (), id="a move that succeeds"),
        pytest.param("PAR", {"FRANCE": ["A PAR H"]}, (), id="a hold"),
        pytest.param(
            "PAR",
            {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
            ("bounce",),
            id="a move against an equal one",
        ),
        pytest.param(
            "PAR",
            {"FRANCE": ["A PAR - BUR", "A BUR H"]},
            ("bounce",),
            id="a move against its own power's unit",
        ),
        pytest.param(
            "TRI",
            {"AUSTRIA": ["A TRI H"], "ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"]},
            ("dislodged",),
            id="a hold that is dislodged",
        ),
        pytest.param("PAR", {"FRANCE": ["A PAR - MOS"]}, ("void",), id="an impossible move"),
        pytest.param(
            "LON",
            {
                "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"],
                "GERMANY": ["F HEL - NTH", "F DEN S F HEL - NTH"],
            },
            ("disrupted",),
            id="a move without its convoy",
        ),
        pytest.param(
            "NTH",
            {
                "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"],
                "GERMANY": ["F HEL - NTH", "F DEN S F HEL - NTH"],
            },
            ("disrupted", "dislodged"),
            id="a fleet that is dislodged",
        ),
        pytest.param(
            "LON",
            {"ENGLAND": ["A LON - BEL", "F NTH H"]},
            ("no convoy",),
            id="a move that no fleet convoys",
        ),
        pytest.param(
            "MUN",
            {"GERMANY": ["A MUN S A BER", "A BER H"], "FRANCE": ["A BUR - MUN"]},
            ("cut",),
            id="a support that is cut",
        ),
        pytest.param(
            "MUN", {"GERMANY": ["A MUN S A BER", "A BER - KIE"]}, ("void",), id="a void support"
        ),
    ],
)
def test_the_marks_of_judges_say_what_became_of_an_order(
    province: str, orders: Written, marks: tuple[str, ...]
) -> None:
    assert result_marks(outcome_in(played(orders), province)) == marks
    assert set(marks) <= set(RESULT_MARKS)
