"""Tables, shortened names, convoys told in two sentences, and words for units named before."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.situation import Situation
from judge.archive.position_json import read_position
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood
from judge.rules.rulebook import DATC
from tests.emails.labelled import found_in, labelled

BOARD = load_map()
ENGLAND = ["A LVP", "F EDI", "F LON", "F NTH", "A YOR"]


def orders(text: str, power: str = "AUSTRIA") -> set[str]:
    return set(
        map(write_order, read_email(Situation(BOARD, BOARD.start, power), split(text)).orders)
    )


def orders_of_england(text: str) -> set[str]:
    position = read_position(BOARD, {"phase": "S1902M", "units": {"ENGLAND": ENGLAND}}, DATC)
    return set(
        map(write_order, read_email(Situation(BOARD, position, "ENGLAND"), split(text)).orders)
    )


TABLES = {
    "columns for kinds": """
| No. | Type  | Location | Order | Target  |
|-----|-------|----------|-------|---------|
| 1   | Army  | Vienna   | Move  | Galicia |
| 2   | Fleet | Trieste  | Hold  | -       |
| 3   | Army  | Budapest | Move  | Serbia  |
""",
    "a column of reasons": """
Unit  | Order  | Why
A Vie | -> Gal | now or never, he thinks
F Tri | holds  | nobody was ever there
A Bud | -> Ser | cuts whatever support he gives
""",
    "strokes": (
        "Unit / Order\nA Vienna / goes to Galicia\nF Trieste / holds\nA Budapest / to Serbia"
    ),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
def test_rows_of_tables_are_orders(table: str) -> None:
    assert orders(table) == {"A VIE - GAL", "F TRI H", "A BUD - SER"}


def test_a_condition_in_a_column_of_reasons_is_no_reason() -> None:
    table = "Unit | Order | Why\nA Vie | -> Gal | only if Russia agrees\nF Tri | holds | safe"
    assert "A VIE - GAL" not in orders(table)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Vi - Gal\nBu - Ser\nTr H", {"A VIE - GAL", "A BUD - SER"}),
        ("VIEN - Gal\nBUDA S VIEN - Gal", {"A VIE - GAL", "A BUD S A VIE - GAL"}),
    ],
)
def test_a_unit_may_be_named_by_the_beginning_of_its_place(text: str, meant: set[str]) -> None:
    assert orders(text) == meant


@pytest.mark.parametrize("heading", ["D, F01:", "Deutschland F1901", "Befehle F01"])
def test_f_before_a_year_is_the_open_phase_of_that_year_in_german(heading: str) -> None:
    text = f"Moin,\n\n{heading}\nA Ber-Kie\nF Kie-Dän\n\nViele Grüße und bis bald"
    assert orders(text, "GERMANY") == {"A BER - KIE", "F KIE - DEN"}


def test_f_before_a_year_is_fall_in_english() -> None:
    assert orders("Germany, F01:\nA Ber-Kie\n\nThanks and see you", "GERMANY") == set()


@pytest.mark.parametrize(
    "text",
    [
        "My army in Yorkshire goes by sea to Norway. It is convoyed by the North Sea fleet.",
        "The army in Yorkshire travels to Norway, the fleet in the North Sea convoying it.",
        "Die Armee in Yorkshire setzt nach Norwegen über. Die Nordsee übernimmt den Konvoi.",
    ],
)
def test_a_convoy_may_be_told_in_two_clauses(text: str) -> None:
    assert {"A YOR - NWY", "F NTH C A YOR - NWY"} <= {
        each.removesuffix(" VIA") for each in orders_of_england(text)
    }


def test_the_other_two_are_those_of_which_nothing_was_said() -> None:
    text = "London to the Channel, Yorkshire holds, North Sea holds. The other two stay."
    assert {"A LVP H", "F EDI H"} <= orders_of_england(text)


def test_a_pronoun_behind_the_name_of_a_unit_is_that_unit() -> None:
    text = "L'armée de Vienne va en Galicie. Quant à Budapest, elle va à Vienne. Trieste tient."
    assert orders(text) == {"A VIE - GAL", "A BUD - VIE", "F TRI H"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Army from Viena goes to Galicja. Fleet Trieste holds.", {"A VIE - GAL", "F TRI H"}),
        ("Wiede\u0144 - Galicja\nBudapeszt - Serbia", {"A VIE - GAL", "A BUD - SER"}),
        ("Vienna holds: the Russian is in Galicia and attacks Budapest.", {"A VIE H"}),
        ("Wien nach Gali. Budapest nach Serb.", {"A VIE - GAL", "A BUD - SER"}),
        (
            "A Vie - Gal\n\nPress (Vienna to Rome): We are keeping it. Trieste holds.",
            {"A VIE - GAL"},
        ),
    ],
)
def test_names_in_other_languages_explanations_and_press_beside_orders(
    text: str, meant: set[str]
) -> None:
    assert orders(text) == meant


@pytest.mark.parametrize(("name", "found"), [("voices_a", "a-17"), ("voices_c", "c-14")])
def test_a_lone_place_answers_where_a_unit_retreats_to(name: str, found: str) -> None:
    [email] = [each for each in labelled(name) if each.name == found]
    assert found_in(email).orders == email.meant


CORRECTED = "A Vie | A Vie - Gal\nF Tri | F Tri - Ion -- no, can't reach. Hold"
SHORT = "Serbia to Bulgaria, Budapest supports\nVienna to Galicia"


def orders_of_austria(text: str) -> set[str]:
    units = {"AUSTRIA": ["A VIE", "A BUD", "F TRI", "A SER"]}
    position = read_position(BOARD, {"phase": "S1902M", "units": units}, DATC)
    read = read_email(Situation(BOARD, position, "AUSTRIA"), split(text))
    return set(map(write_order, read.orders))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (CORRECTED, {"A VIE - GAL", "F TRI H"}),
        (
            "All hold, except Vienna to Galicia",
            {"A VIE - GAL", "A BUD H", "F TRI H", "A SER H"},
        ),
        (
            "Wien unterstützt die Flotte in Triest, welche ebenfalls hält",
            {"A VIE S F TRI", "F TRI H"},
        ),
        (SHORT, {"A SER - BUL", "A VIE - GAL"}),
        ("A Vie st. A Bud-Gal", set()),
        (
            "Vienna goes to Galicia. Budapest does the same as Vienna.",
            {"A VIE - GAL", "A BUD - GAL"},
        ),
        (
            "1. Vienna attacks Galicia.\n2. Budapest supports the above.",
            {"A VIE - GAL", "A BUD S A VIE - GAL"},
        ),
        (
            "Vienna attacks Galicia, and the support is from Budapest.",
            {"A VIE - GAL", "A BUD S A VIE - GAL"},
        ),
        (
            "To keep the Italians busy Vienna goes to Tyrolia. Serbia holds.",
            {"A VIE - TYR", "A SER H"},
        ),
        ("A Vie - Gali (Galicia)\nF Tri - AMe (Adriatic)", {"A VIE - GAL", "F TRI - ADR"}),
        ("Vienna moves to Tyrolia, where it waits for its boat", {"A VIE - TYR"}),
        (
            "Next, Bulgaria. Serbia attacks it, Budapest stays.",
            {"A SER - BUL", "A BUD H"},
        ),
        (
            "I mean to have Galicia: Vienna goes in, Budapest supports.",
            {"A VIE - GAL", "A BUD S A VIE - GAL"},
        ),
        (
            "Serbia > Bulgaria, Budapest supports it\nVienna > Galicia",
            {"A SER - BUL", "A VIE - GAL"},
        ),
        ("Trieste goes to the Adriatic, I can't leave it there.", {"F TRI - ADR"}),
        ("Should Serbia fall I shall be cross. Vienna and Budapest hold.", {"A VIE H", "A BUD H"}),
        ("Vienna to Galicia, just annoying him. Trieste holds.", {"A VIE - GAL", "F TRI H"}),
        (
            "Vienna to Galicia, Trieste holds.\n\nWrote this on a train, so if there's a typo lmk",
            {"A VIE - GAL", "F TRI H"},
        ),
        (
            "Vienna to Galicia, Trieste holds, Serbia I was going to move to Greece.",
            {"A VIE - GAL", "F TRI H"},
        ),
        (
            "Trieste to Venice. Vienna goes to Trieste to follow it.",
            {"F TRI - VEN", "A VIE - TRI"},
        ),
        (
            "Italy has Venice. Trieste moves up. Vienna, Budapest and Serbia hold.",
            {"A VIE H", "A BUD H", "A SER H"},
        ),
        ("Vienna stays and Budapest covers Vienna.", {"A VIE H", "A BUD S A VIE"}),
        (
            "Vienna goes for Galicia with Budapest behind it. Trieste and Serbia hold.",
            {"A VIE - GAL", "A BUD S A VIE - GAL", "F TRI H", "A SER H"},
        ),
        (
            "Trieste holds. Vienna to Tyrolia so he can't come back",
            {"F TRI H", "A VIE - TYR"},
        ),
        ("Vienna holds, Trieste too. Serbia I am waiting on.", {"A VIE H", "F TRI H"}),
        ("Should Vienna hold and Budapest go to Rumania", set()),
    ],
)
def test_units_and_orders_named_before(text: str, meant: set[str]) -> None:
    assert orders_of_austria(text) == meant


def test_orders_beside_a_condition_within_a_sentence_are_offered() -> None:
    text = "Vienna takes Galicia if Tom lets it, Budapest takes Rumania."
    read = read_email(Situation(BOARD, BOARD.start, "AUSTRIA"), split(text))
    offered = [each.nearest for each in read.pieces if isinstance(each, NotUnderstood)]

    assert read.orders == ()
    assert [write_order(each) for each in offered if each] == ["A VIE - GAL", "A BUD - RUM"]


def test_words_in_doubt_are_offered_for_a_unit_without_another_order() -> None:
    text = "Vienna to Galicia, Budapest and Serbia hold. Trieste to Albania, maybe."
    read = read_email(Situation(BOARD, BOARD.start, "AUSTRIA"), split(text))
    talk = read_email(
        Situation(BOARD, BOARD.start, "AUSTRIA"), split("Trieste to Albania, maybe.")
    )

    offered = [each.nearest for each in read.pieces if isinstance(each, NotUnderstood)]
    asked = [each.nearest for each in talk.pieces if isinstance(each, NotUnderstood)]
    assert [write_order(each) for each in offered if each] == ["F TRI - ALB"]
    assert asked == [None]


FRANCE = ["A BUR", "A PAR", "A GAS", "F BRE", "F MAO", "A MAR"]
IN_GERMAN_AND_FRENCH = {
    "several helpers with both": (
        "Burgund hält; es wird hierbei sowohl aus Paris als auch aus der Gascogne unterstützt.",
        {"A BUR H", "A PAR S A BUR", "A GAS S A BUR"},
    ),
    "the first and the second": (
        "Bourgogne et MAO tiennent, la première aidée par Paris, la seconde aidée par Brest",
        {"A BUR H", "F MAO H", "A PAR S A BUR", "F BRE S F MAO"},
    ),
    "a place attacked that was named": (
        "L'Anglais est en Manche. Brest l'attaque, MAO soutient Brest.",
        {"F BRE - ENG", "F MAO S F BRE - ENG"},
    ),
    "two units the other way round": (
        "Paris greift Pic an mit Hilfe aus Burgund. Andersrum: Burgund greift Pic an, Par hilft.",
        {"A BUR - PIC", "A PAR S A BUR - PIC"},
    ),
    "a second thought about the same unit": (
        "Marseille nach Spanien wäre noch peinlicher, Marseille bleibt.",
        {"A MAR H"},
    ),
    "an abandoned plan": (
        "Die Armee in Paris sollte ursprünglich die Picardie angreifen, bleibt jetzt aber liegen.",
        {"A PAR H"},
    ),
    "stress on who acts": (
        "C'est Paris qui attaque la Picardie, et c'est la Bourgogne qui soutient.",
        {"A PAR - PIC", "A BUR S A PAR - PIC"},
    ),
    "names that the writer explains": (
        "A Bg - Bel\nF Bre H\n\nAnm.: Bg = Burgund.",
        {"A BUR - BEL", "F BRE H"},
    ),
    "an army that is carried": (
        "Die Armee in der Gascogne lässt sich vom Mittelatlantik nach Portugal bringen.",
        {"A GAS - POR VIA", "F MAO C A GAS - POR"},
    ),
    "where a unit does not go, in brackets": (
        "Marseille nach Spanien (nicht ins Piemont, wie auf der Karte, die du vielleicht kennst).",
        {"A MAR - SPA"},
    ),
    "help that a unit has": (
        "La Bourgogne tient, et elle a le soutien de Paris et aussi de la Gascogne.",
        {"A BUR H", "A PAR S A BUR", "A GAS S A BUR"},
    ),
    "nothing unusual": (
        "Je ne fais rien d'extravagant : Paris va en Picardie.",
        {"A PAR - PIC"},
    ),
    "support of what was said, at the end of a line": (
        "Paris > Picardie, Burgund unterstützt das\nGascogne > Spanien",
        {"A PAR - PIC", "A BUR S A PAR - PIC", "A GAS - SPA"},
    ),
    "a list of helpers": (
        "Burgund bleibt stehen und wird von Paris und Gascogne gedeckt.",
        {"A BUR H", "A PAR S A BUR", "A GAS S A BUR"},
    ),
    "the only fleet": (
        "Die Armee in der Gascogne möchte ich mit der Flotte nach Portugal bringen.",
        {"A GAS - POR", "F MAO C A GAS - POR"},
    ),
    "an agreement between commas": (
        "Burgund unterstützt, wie mit Anna vereinbart, die Armee in München nach Ruhr.",
        {"A BUR S A MUN - RUH"},
    ),
}


@pytest.mark.parametrize(
    ("text", "meant"), IN_GERMAN_AND_FRENCH.values(), ids=IN_GERMAN_AND_FRENCH
)
def test_words_for_units_named_before_are_read_in_german_and_french(
    text: str, meant: set[str]
) -> None:
    own = [unit for unit in FRANCE if any(each.startswith(unit) for each in meant)]
    units = {"FRANCE": own, "ENGLAND": ["F ENG"], "GERMANY": ["A MUN"]}
    position = read_position(BOARD, {"phase": "S1902M", "units": units}, DATC)

    found = read_email(Situation(BOARD, position, "FRANCE"), split(text))

    assert set(map(write_order, found.orders)) == meant


@pytest.mark.parametrize(
    ("board", "phase", "units", "centers", "text", "meant"),
    [
        (
            *("world", "W2000A", "CHINA: F GUA", "BEI GUA SHA"),
            "Build two armies, one in Beijing and one in Shanghai",
            "A BEI B; A SHA B",
        ),
        (
            *("world", "F2000M", "ARGENTINA: A MEN, F PER, F URA", ""),
            "Everyone stays where they are, except Mendoza back to Santa Cruz please",
            "A MEN - SCR; F PER H; F URA H",
        ),
        (
            *("world", "W2000A", "LIBYA: F EGY, A NSU", "LIB EGY NSU"),
            "je construis une armée en Libye",
            "A LIB B",
        ),
        (
            *("world", "F2000M", "NEAR-EAST: A IRA, A SAR, A TRK", ""),
            "Iran stützt die Türkei... quatsch, Iran hält, Saudi-Arabien stützt nichts, hält",
            "A IRA H; A SAR H",
        ),
        (
            *("world", "F2000M", "GHANA: F MAU", ""),
            "la Mauritanie va en Guinée",
            "F MAU - GUI",
        ),
        (
            *("standard", "F1901M", "GERMANY: A BUR, A RUH, F HOL", ""),
            "Burgund greift, unterstützt von Ruhr und Holland, Belgien an.",
            "A BUR - BEL; A RUH S A BUR - BEL; F HOL S A BUR - BEL",
        ),
        (
            *("standard", "F1901M", "FRANCE: A BUR, F NTH, A RUH", ""),
            "La Bourgogne va avec l'aide de la Ruhr en Belgique. La mer du Nord tient.",
            "A BUR - BEL; A RUH S A BUR - BEL; F NTH H",
        ),
    ],
)
def test_help_between_a_unit_and_its_target_and_words_for_places_and_denials(
    board: str, phase: str, units: str, centers: str, text: str, meant: str
) -> None:
    power, _, names = units.partition(": ")
    source = {"phase": phase, "units": {power: names.split(", ")}}
    if centers:
        source["centers"] = {power: centers.split()}
    on = load_map(board)
    read = read_email(Situation(on, read_position(on, source, DATC), power), split(text))

    assert {write_order(each) for each in read.orders} == {*filter(None, meant.split("; "))}
