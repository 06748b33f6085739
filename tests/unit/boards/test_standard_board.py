"""The standard board is correct, and an invalid board is refused with the reason."""

from __future__ import annotations

from importlib.resources import files

import pytest

from judge.adapters.variant_files import UnknownVariantError, load_map, variants
from judge.boards.variant_text import read_map
from judge.rules.board import Terrain

BOARD = load_map()
FILES = ("variant.toml", "provinces.csv", "locations.csv", "borders.csv")

# How many places each touches, counted on the printed board: armies, then fleets.
ARMY_DEGREES = """
ALB 3 ANK 3 APU 3 ARM 4 BEL 4 BER 4 BOH 5 BRE 3 BUD 5 BUL 4 BUR 7 CLY 2 CON 3 DEN 2 EDI 3 FIN 3
GAL 7 GAS 5 GRE 3 HOL 3 KIE 5 LON 2 LVN 4 LVP 4 MAR 4 MOS 5 MUN 7 NAF 1 NAP 2 NWY 3 PAR 4 PIC 4
PIE 4 POR 1 PRU 4 ROM 4 RUH 5 RUM 6 SER 6 SEV 4 SIL 6 SMY 4 SPA 3 STP 4 SWE 3 SYR 2 TRI 6 TUN 1
TUS 3 TYR 6 UKR 5 VEN 6 VIE 5 WAL 3 WAR 6 YOR 4
"""
FLEET_DEGREES = """
ADR 5 AEG 6 ALB 4 ANK 3 APU 4 ARM 3 BAL 7 BAR 3 BEL 4 BER 3 BLA 6 BOT 5 BRE 4 BUL/EC 3 BUL/SC 3
CLY 4 CON 6 DEN 6 EAS 4 EDI 4 ENG 8 FIN 3 GAS 3 GRE 4 HEL 4 HOL 4 ION 9 IRI 5 KIE 5 LON 4 LVN 4
LVP 4 LYO 6 MAO 10 MAR 3 NAF 3 NAO 5 NAP 4 NTH 11 NWG 6 NWY 6 PIC 3 PIE 3 POR 3 PRU 3 ROM 3 RUM 3
SEV 3 SKA 4 SMY 4 SPA/NC 3 SPA/SC 5 STP/NC 2 STP/SC 3 SWE 6 SYR 2 TRI 3 TUN 4 TUS 4 TYS 7 VEN 3
WAL 4 WES 6 YOR 3
"""


def texts() -> dict[str, str]:
    folder = files("judge").joinpath("variants", "standard")
    return {file: folder.joinpath(file).read_text(encoding="utf-8") for file in FILES}


def edited(file: str, old: str, new: str) -> dict[str, str]:
    read = texts()
    assert old in read[file]
    return read | {file: read[file].replace(old, new)}


def test_the_board_has_its_counts() -> None:
    terrains = [place.terrain for place in BOARD.places.values()]

    assert len(BOARD.places) == 75
    assert len(BOARD.locations) == 81
    assert len(BOARD.centers) == 34
    assert [terrains.count(terrain) for terrain in Terrain] == [14, 42, 19, 0]
    assert sum(map(len, BOARD.army.values())) == 222
    assert sum(map(len, BOARD.fleet.values())) == 282


@pytest.mark.parametrize(
    ("borders", "degrees"),
    [
        pytest.param(BOARD.army, ARMY_DEGREES, id="army"),
        pytest.param(BOARD.fleet, FLEET_DEGREES, id="fleet"),
    ],
)
def test_each_place_touches_as_many_as_it_should(
    borders: dict[str, frozenset[str]], degrees: str
) -> None:
    words = degrees.split()

    assert {place: len(touched) for place, touched in borders.items()} == dict(
        zip(words[::2], map(int, words[1::2]), strict=True)
    )


def test_borders_that_are_often_got_wrong() -> None:
    assert "ROM" not in BOARD.fleet["APU"]  # the two coasts of Italy
    assert "VEN" not in BOARD.fleet["ROM"]
    assert "GAS" not in BOARD.fleet["MAR"]
    assert "NTH" not in BOARD.fleet["CLY"]
    assert "IRI" not in BOARD.fleet["CLY"]
    assert "BAL" not in BOARD.fleet["SKA"]
    assert "AEG" not in BOARD.fleet["BLA"]
    assert "EDI" not in BOARD.army["WAL"]
    assert BOARD.fleet["STP/NC"] == {"BAR", "NWY"}
    assert BOARD.fleet["STP/SC"] == {"BOT", "FIN", "LVN"}


def test_the_powers_start_where_the_rulebook_puts_them() -> None:
    assert "".join(nation.letter for nation in BOARD.nations.values()) == "AEFGIRT"
    assert [str(unit) for unit in BOARD.start.units_of("RUSSIA")] == [
        "A MOS",
        "F SEV",
        "F STP/SC",
        "A WAR",
    ]
    assert len(BOARD.start.units) == len(BOARD.start.owners) == 22
    assert BOARD.start.phase.code == "S1901M"
    assert all(BOARD.homes_of(power) == BOARD.start.centers_of(power) for power in BOARD.powers)
    assert BOARD.victory_centers == 18


def test_every_power_has_a_country_around_its_home_centers() -> None:
    countries = {power: len(BOARD.country_of(power)) for power in BOARD.powers}

    assert countries == dict.fromkeys(BOARD.powers, 6) | {"RUSSIA": 7, "TURKEY": 5}
    assert BOARD.country_of("RUSSIA") == ("FIN", "LVN", "MOS", "SEV", "STP", "UKR", "WAR")


def test_coasts_are_places_of_their_own() -> None:
    assert BOARD.coasts_of("STP") == ("STP/NC", "STP/SC")
    assert BOARD.coasts_of("BUL") == ("BUL/EC", "BUL/SC")
    assert BOARD.coasts_of("BRE") == ()
    assert BOARD.places["STP"].coasts == ("nc", "sc")


@pytest.mark.parametrize(
    ("alias", "provinces"),
    [
        ("nor", {"NWY", "NTH", "NWG", "NAO", "NAF"}),
        ("tyr", {"TYS", "TYR"}),
        ("liv", {"LVN", "LVP"}),
        ("gul", {"LYO", "BOT"}),
        ("nrg", {"NWG"}),
        ("nat", {"NAO"}),
        ("mid", {"MAO"}),
        ("ech", {"ENG"}),
        ("heligoland", {"HEL"}),
    ],
)
def test_an_ambiguous_alias_stands_with_each_of_its_places(
    alias: str, provinces: set[str]
) -> None:
    called = {code for code, place in BOARD.places.items() if alias in place.aliases}

    assert called | {alias.upper()} & set(BOARD.places) == provinces


def test_other_languages_have_forms_and_other_names() -> None:
    german = BOARD.tongues["de"]

    assert german.powers["TURKEY"]["of"] == "der Türkei"
    assert german.aliases["RUSSIA"] == ("russisch", "rußland", "russe", "russen")
    assert BOARD.tongues["fr"].aliases["RUSSIA"] == ("russes",)


def test_an_unknown_variant_is_refused_with_the_names_of_those_there_are() -> None:
    assert "standard" in variants()
    assert load_map() is load_map("standard")
    with pytest.raises(UnknownVariantError, match="no variant 'atlantis'; there are: 1898"):
        load_map("atlantis")


@pytest.mark.parametrize(
    ("file", "right", "wrong", "complaint"),
    [
        (0, 'start = "S1901M"', "", "lacks 'start'"),
        (0, '"A BUD"', '"F BUD"', "F BUD cannot stand there"),
        (0, '["BUD", "TRI", "VIE"]', '["BUD", "TRI", "TYR"]', "TYR is not a center"),
        (0, 'BUL = "BUL/EC"', 'BUL = "SPA/NC"', "BUL has no default coast"),
        (0, 'LYO = "gol"', 'GOL = "gol"', "GOL is not a province"),
        (1, "ALB,Albania,coast", "ADR,Albania,coast", "ADR 2 times"),
        (1, "ALB,Albania,coast", "ALB,Albania,sea", "AF stand in ALB, which is sea"),
        (1, "Vienna,inland,yes,AUSTRIA", "Vienna,inland,no,AUSTRIA", "VIE is not a home center"),
        (1, "YOR,Yorkshire", "YRK,Yorkshire", "YOR is in no province"),
        (2, "YOR,YOR,AF\n", "", "YOR has no location"),
        (2, "BUL/EC,BUL,F", "BUL/EC,BUL,A", "BUL/EC is not a coast that only fleets can occupy"),
        (3, "YOR,A,EDI LON LVP WAL", "YOR,A,EDI LON LVP", "WAL touches YOR for A"),
        (3, "YOR,A,EDI", "YOR,A,YOR EDI", "YOR touches itself"),
        (3, "YOR,A,EDI", "YOR,A,NTH EDI", "no A can go from YOR to NTH"),
        (3, "SYR,A,ARM SMY\n", "", "ARM touches SYR for A"),
        (3, "ALB,A,GRE SER TRI\n", "", "GRE touches ALB for A"),
    ],
)
def test_files_that_contradict_each_other_are_refused(
    file: int, right: str, wrong: str, complaint: str
) -> None:
    read, name = texts(), FILES[file]
    assert right in read[name]
    read[name] = read[name].replace(right, wrong)

    with pytest.raises(ValueError, match=complaint):
        read_map(read)


def test_a_variant_says_how_many_centers_win() -> None:
    short = read_map(edited("variant.toml", "victory_centers = 18", "victory_centers = 12"))

    assert short.victory_centers == 12


def test_a_place_that_touches_nothing_is_refused() -> None:
    read = texts()
    read["provinces.csv"] += "ISL,Island,sea,no,,,\n"
    read["locations.csv"] += "ISL,ISL,F\n"

    with pytest.raises(ValueError, match="F ISL touches nothing"):
        read_map(read)


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        ('AUSTRIA = { name = "Autriche"', 'AUSTRALIA = { name = "Autriche"', "AUSTRALIA"),
        ("ADR = {", "ADX = {", "fr: ADR stands on the board or among its names, not in both"),
        (', in = "en mer Adriatique"', "", "fr: ADR has no in"),
    ],
)
def test_names_in_another_language_that_are_not_those_of_the_board_are_refused(
    written: str, instead: str, complaint: str
) -> None:
    french = files("judge").joinpath("variants", "standard", "names.fr.toml")
    wrong = french.read_text(encoding="utf-8").replace(written, instead, 1)

    with pytest.raises(ValueError, match=complaint):
        read_map(texts() | {"names.fr.toml": wrong})
