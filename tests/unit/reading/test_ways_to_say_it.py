"""Ways in which people say the same: abbreviations, topics, builds and units given up."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.position_json import read_position
from judge.notation.order_text import write_order
from judge.reading.policy import Status
from judge.reading.reader import read_text
from judge.reading.world import world_of
from judge.rules.rulebook import DATC

BOARD = load_map()
MOVEMENT = {
    "phase": "S1905M",
    "units": {"ITALY": ["A VEN", "A TYR", "A BUL", "F ION", "F GRE", "F MAO"]},
}
RETREATS = {
    "phase": "S1905R",
    "units": {"ITALY": ["*A VEN", "*F ION"]},
    "retreats": {"ITALY": {"A VEN": ["ROM", "PIE"], "F ION": ["TUN", "APU"]}},
}
TWO_BUILDS = {
    "phase": "W1905A",
    "units": {"ITALY": ["A TUN"]},
    "centers": {"ITALY": ["ROM", "VEN", "TUN"]},
}
VENICE_HELPED = {"A VEN - TRI", "A TYR S A VEN - TRI"}
MUTUAL = {"A VEN S A TYR", "A TYR S A VEN"}


def read(at: Mapping[str, object], text: str) -> dict[str, Status]:
    position = read_position(BOARD, at, DATC)
    found = read_text(text, world_of(BOARD, position, "ITALY")).orders
    return {write_order(each): one.status for one in found for each in one.orders}


def plain(at: Mapping[str, object], text: str) -> set[str]:
    return {order for order, status in read(at, text).items() if status is Status.PLAIN}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Ion. Meer - Tunis", {"F ION - TUN"}),
        ("F Ion. Meer nach Tunis", {"F ION - TUN"}),
        ("F Mid-Atl to Spain, NORTH coast", {"F MAO - SPA/NC"}),
        ("F Mittelatlantik nach Spanien, an die Nordküste.", {"F MAO - SPA/NC"}),
        (
            "Tyrol reste là. Tunis par contre je la veux. Ionienne y va.",
            {"A TYR H", "F ION - TUN"},
        ),
        ("C'est sur le Turc qu'on tape : Venise va à Trieste.", {"A VEN - TRI"}),
        ("Ionian Sea to Tunis like everybody does.", {"F ION - TUN"}),
        ("The fleet in the Ionian Sea sails to Tunsi", {"F ION - TUN"}),
        ("In das verlassene Triest zieht die Armee aus Venedig ein.", {"A VEN - TRI"}),
        ("Up north we are taking Trieste: Venice attacks.", {"A VEN - TRI"}),
        ("Venedig geht nicht nach Tirol, sondern nach Triest.", {"A VEN - TRI"}),
        ("Venedig bleibt nicht, sondern unterstützt Tirol nach Triest.", {"A VEN S A TYR - TRI"}),
        ("Bulgaria stays and Greece supports it.", {"A BUL H", "F GRE S A BUL"}),
        ("Venice supports Tyrolia, nobody can attack it anyway.", {"A VEN S A TYR"}),
        ("Tyrolia holds. Venice covers Tyrolia.", {"A TYR H", "A VEN S A TYR"}),
        ("Tyrolia goes to Munich and Venice covers Tyrolia.", {"A TYR - MUN", "A VEN - TYR"}),
        ("No: Bulgaria does not go to Serbia. It stays in Bulgaria.", {"A BUL H"}),
        ("For Italy Venice attacks Trieste.", {"A VEN - TRI"}),
        ("Venice to Trieste stays as it is.", {"A VEN - TRI"}),
        ("I'll try it again with Trieste: Venice attacks.", {"A VEN - TRI"}),
        ("Venice and Tyrolia stay, each supporting the other.", MUTUAL),
        ("Venice and Tyrolia: mutual support", MUTUAL),
        ("The other fleet up there, the one in the Ionian Sea, sails to Tunis.", {"F ION - TUN"}),
        ("L'autre flotte, celle de la mer Ionienne, va à Tunis.", {"F ION - TUN"}),
        ("Venice stays, as the English will come.", {"A VEN H"}),
        ("Venise va à Rome. Non, pardon, je change d'avis : elle va à Trieste.", {"A VEN - TRI"}),
        ("Venedig und Tirol halten und stützen sich gegenseitig.", MUTUAL),
        ("Venise et le Tyrol ne bougent pas et se soutiennent mutuellement.", MUTUAL),
        ("Die Flotte verlässt das Ionische Meer Richtung Tunis.", {"F ION - TUN"}),
        ("La flotte qui est en mer Ionienne va à Tunis.", {"F ION - TUN"}),
        (
            "venise va à trieste vu qu'il y a personne et le tyrol la remplace à venise",
            {"A VEN - TRI", "A TYR - VEN"},
        ),
        ("Greece keeps Albania busy.", set()),
        ("Bin gerade in Venedig, hier rennt alles durcheinander.", set()),
        ("Venedig haut auf Triest drauf, Tirol packt mit an.", VENICE_HELPED),
        ("Venise se rue sur Trieste, le Tyrol lui prêtant son concours.", VENICE_HELPED),
        ("Venice has a go at Trieste, Tyrolia has its back.", VENICE_HELPED),
    ],
)
def test_orders_are_read(text: str, meant: set[str]) -> None:
    assert plain(MOVEMENT, text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "A fleet in Rome and an army in Venice. Hmm no, a fleet in Venice.",
            {"F ROM B", "F VEN B"},
        ),
        (
            "Une flotte à Rome, une armée à Venise. Euh, en fait non : une flotte à Venise.",
            {"F ROM B", "F VEN B"},
        ),
        ("An army in Rome. No, make that Venice instead of Rome.", {"A VEN B"}),
        ("An army in Rome. No wait, rather Venice.", {"A VEN B"}),
        ("Ich nehm ne Armee in Rom. Ach ne, lieber Venedig!", {"A VEN B"}),
        ("Eine Armee in Rom. Nein, doch lieber Venedig statt Rom.", {"A VEN B"}),
    ],
)
def test_builds_are_corrected(text: str, meant: set[str]) -> None:
    assert plain(TWO_BUILDS, text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "My opening is not very original: Venice goes to Trieste.",
        "Mein Zug ist nicht sehr originell: Venedig geht nach Triest.",
    ],
)
def test_orders_that_are_called_nothing_special_are_offered(text: str) -> None:
    assert read(MOVEMENT, text)["A VEN - TRI"] is Status.OFFERED


def test_a_unit_that_somebody_hesitated_about_is_not_removed() -> None:
    at = {
        "phase": "W1905A",
        "units": {"ITALY": ["A TUN", "F WES", "A GAS"]},
        "centers": {"ITALY": ["ROM", "VEN"]},
    }
    told = "J'ai hésité avec la flotte de Méditerranée occidentale"
    assert "F WES D" not in plain(at, f"{told}, mais je retire l'armée de Gascogne.")


@pytest.mark.parametrize(
    "kept",
    [
        "Les flottes je n'y touche pas. Tunis non plus.",
        "Die Flotten rühre ich nicht an. Tunis auch nicht.",
        "I'm not touching the fleets. Neither Tunis.",
    ],
)
def test_a_unit_that_is_kept_like_others_is_not_removed(kept: str) -> None:
    at = {
        "phase": "W1905A",
        "units": {"ITALY": ["A TUN", "F WES", "A GAS"]},
        "centers": {"ITALY": ["ROM", "VEN"]},
    }
    assert plain(at, kept) == set()


@pytest.mark.parametrize("told", ["Thought about Piedmont", "The army: thought about Piedmont"])
def test_a_retreat_that_was_only_thought_about_is_no_order(told: str) -> None:
    assert "A VEN R PIE" not in plain(RETREATS, f"{told} because it is empty. The fleet to Tunis.")


def test_builds_that_are_called_back_are_left_to_the_writer() -> None:
    text = "A fleet in Rome and an army in Venice. Hmm no, not that."
    assert set(read(TWO_BUILDS, text).values()) == {Status.OFFERED}


def test_impossible_support_of_what_stands_is_an_order_as_in_notation() -> None:
    assert "F GRE S A SER" in plain(
        {"phase": "S1905M", "units": {"ITALY": ["A SER", "F GRE"]}},
        "Serbia stays and Greece supports it.",
    )


def test_an_order_that_a_correction_in_doubt_replaces_is_only_offered() -> None:
    text = "Venice to Trieste. Hm, Anna asked me not to, she says Venice goes to Rome instead."
    assert read(MOVEMENT, text)["A VEN - TRI"] is Status.OFFERED


@pytest.mark.parametrize(
    "told", ["while the Turk is in Greece", "da der Türke in Griechenland sitzt"]
)
def test_a_place_that_is_only_told_of_is_no_target(told: str) -> None:
    assert "F ION - GRE" not in read(MOVEMENT, f"Venice to Trieste, {told}.")


@pytest.mark.parametrize(
    "text",
    [
        "Venice to Trieste. That's all, no?",
        "Venise à Trieste. C'est tout, non ?",
        "The rest is as it was yesterday, I write it so that you don't have to look: A Ven-Tri",
        "Le reste est comme hier, je le recopie pour que vous n'ayez pas à chercher : A Ven-Tri",
        "Venice goes to Trieste, it has been sitting there for years.",
        "Venedig nach Triest. Falls Anna sich beschwert: sie hat angefangen.",
        "Venice to Trieste. Regards, Doris (No. 14)",
        "Venise va à Trieste, si tout va bien on y sera en mai.",
        "Venice to Trieste, he won't let me in.",
        "Venice to Trieste, but then his fleet can't be any help to Vienna.",
        "Venice to Trieste, I know I told Anna Piedmont but I like it if France moves there.",
    ],
)
def test_what_is_said_beside_an_order_casts_no_doubt_on_it(text: str) -> None:
    others = "A Tyr H\nA Bul H\nF Gre H"
    assert "A VEN - TRI" in plain(MOVEMENT, f"{others}\n\n{text}")


@pytest.mark.parametrize(
    "text",
    [
        "The fleet could slip away to Tunis, but I'd rather disband it.",
        "The fleet could slip away to Tunis. Take it off the board.",
        "The fleet in the Ionian Sea, don't bother saving that one.",
        "As for the fleet: in Tunis it would only wait to be taken. So let's disband it now.",
    ],
)
def test_a_unit_that_could_retreat_is_disbanded(text: str) -> None:
    assert plain(RETREATS, f"Venice to Rome. {text}") == {"A VEN R ROM", "F ION D"}


@pytest.mark.parametrize(
    "text",
    [
        "A fleet in Rome. I'll skip the second one.",
        "A fleet in Rome. The other one I'll keep for next year.",
        "Eine Flotte in Rom bitte. Die zweite lasse ich diesmal weg.",
        "Je construis une flotte à Rome. L'autre, je la garde pour plus tard.",
        "A fleet in Rome. I waive the rest, otherwise everybody attacks me.",
        "Une flotte à Rome. La deuxième, je m'en passe, sinon tout le monde me tombe dessus.",
    ],
)
def test_a_build_that_is_left_is_waived_in_words(text: str) -> None:
    assert plain(TWO_BUILDS, text) == {"F ROM B", "WAIVE"}


def test_builds_that_are_left_are_waived_as_a_second_choice() -> None:
    assert plain(TWO_BUILDS, "Build F Rom. Otherwise I waive the rest.") == {"F ROM B"}


def test_a_full_stop_behind_a_coast_ends_the_sentence() -> None:
    text = "The fleet goes to Spain, on the north coast. Italy is strong. Venice holds."
    assert {"F MAO - SPA/NC", "A VEN H"} <= read(MOVEMENT, text).keys()


def test_a_bracket_opened_before_a_unit_ends_no_sentence() -> None:
    text = "A fleet moves (the one in the Ionian Sea). Venice takes Trieste, Tyrolia backs it."
    assert plain(MOVEMENT, text) >= {"A VEN - TRI", "A TYR S A VEN - TRI"}


def test_a_remark_about_a_power_behind_a_dash_is_no_place_to_go_to() -> None:
    text = "F Rome - France will be thrilled\nA Venice - Germany likewise"
    assert plain(TWO_BUILDS, text) == {"F ROM B", "A VEN B"}


@pytest.mark.parametrize(
    "text",
    [
        "Bulgaria crosses the Aegean to Smyrna.",
        "Bulgarien überquert die Ägäis nach Smyrna.",
        "L'armée de Bulgarie franchit la mer Égée pour débarquer à Smyrne.",
    ],
)
def test_a_sea_that_an_army_crosses_is_its_way(text: str) -> None:
    at = {"phase": "S1905M", "units": {"ITALY": ["A BUL", "F AEG"]}}
    assert "A BUL - AEG - SMY" in read(at, text)


def test_an_army_that_hitches_a_ride_on_a_fleet_is_convoyed() -> None:
    at = {"phase": "S1905M", "units": {"ITALY": ["A APU", "F ION"]}}
    text = "Apulia hitches a ride on the Ionian fleet over to Tunis."
    assert plain(at, text) == {"A APU - TUN", "F ION C A APU - TUN"}


def test_places_that_do_not_fit_the_number_of_new_armies_build_none() -> None:
    text = "So Rome - and two armies, one in Venice and one in Naples."
    at = {**TWO_BUILDS, "centers": {"ITALY": ["ROM", "VEN", "NAP", "TUN"]}}
    assert plain(at, text) == {"A VEN B", "A NAP B"}
