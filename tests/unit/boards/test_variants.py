"""Each shipped variant is valid and playable; an invalid folder is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.adapters import variant_files
from judge.boards.variant_text import (
    VariantError,
    check_variant,
    extended_variant,
    read_map,
    variant_named,
)
from judge.notation.terms import names_of
from judge.pictures.board_art import missing_in
from judge.reports.board_names import power_adjective, power_name
from judge.rules.adjudication import adjudicate
from judge.rules.board import BuildSites
from judge.rules.phase_sequence import winner
from judge.rules.types import NEUTRAL
from tests.unit.boards.small_board import small_texts, write_small_board

VARIANTS = variant_files.variants()


def test_thirty_boards_come_with_the_judge() -> None:
    assert len(VARIANTS) >= 30


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_contradicts_itself_nowhere(name: str) -> None:
    files = variant_files.read_folder(variant_files.folder_of(name))

    board, complaints = check_variant(files.texts, files.base)

    assert complaints == []
    assert board.name == name
    assert board.title
    assert board.source or name == "standard"


@pytest.mark.parametrize("name", VARIANTS)
def test_the_first_year_of_a_variant_can_be_played(name: str) -> None:
    board = variant_files.load_map(name)

    position = board.start
    for _ in range(6):
        assert position.phase in board.calendar
        assert winner(board, position) is None
        position = adjudicate(board, position, {}).after

    assert position.phase > board.start.phase


def test_a_variant_that_extends_another_has_its_board_and_other_powers() -> None:
    standard, board = variant_files.load_map("standard"), variant_files.load_map("fva")

    assert board.places.keys() == standard.places.keys()
    assert board.powers == ("AUSTRIA", "FRANCE")
    assert {unit.power for unit in board.start.units} == {"AUSTRIA", "FRANCE"}
    assert board.homes_of("ENGLAND") == ()
    assert board.tongues["de"].powers.keys() == {"AUSTRIA", "FRANCE"}
    assert board.digest != standard.digest


def test_nations_have_german_and_french_names_on_boards_without_such_names() -> None:
    board = variant_files.load_map("youngstown")

    turkey = {each: power_name(board, "TURKEY", each).form("the") for each in ("de", "fr")}

    assert turkey == {"de": "die T\xfcrkei", "fr": "la Turquie"}
    assert names_of(board).powers["chinesische"] == names_of(board).powers["chine"] == "CHINA"
    japan, india = (power_name(board, each, "fr") for each in ("JAPAN", "INDIA"))
    assert (japan, japan.form("to"), japan.form("of")) == ("Japon", "au Japon", "du Japon")
    assert india.form("to") == "\xe0 l'Inde"


def test_a_nation_of_one_board_keeps_its_name() -> None:
    board = variant_files.load_map("sengoku")

    assert power_name(board, "ODA", "de") == "Oda"
    assert power_name(board, "ODA", "fr").form("to") == "\xe0 Oda"
    assert power_adjective(board, "ODA", "fr") == board.nations["ODA"].adjective


@pytest.mark.parametrize(
    ("others", "players", "neutral", "owned"),
    [("absent", 2, 0, 6), ("neutral", 2, 16, 6), ("civil disorder", 2, 0, 22)],
)
def test_powers_that_nobody_plays_are_absent_neutral_or_in_civil_disorder(
    others: str, players: int, neutral: int, owned: int
) -> None:
    files = variant_files.read_folder(variant_files.folder_of("fva"))
    variant = files.texts["variant.toml"] + f'others = "{others}"\n'

    board = read_map({"variant.toml": variant}, files.base)

    assert len(board.players) == players
    assert len(board.start.units_of(NEUTRAL)) == neutral
    assert len(board.start.owners) == owned
    assert len(board.without_players) == (5 if others == "civil disorder" else 0)


def test_a_share_of_the_centers_may_win() -> None:
    texts = small_texts()
    texts["variant.toml"] = texts["variant.toml"].replace(
        "victory_centers = 4", "victory_share = 0.5"
    )

    assert read_map(texts).victory_centers == 3


def test_a_season_may_have_a_name_of_its_own() -> None:
    board = variant_files.load_map("spice-islands")

    assert [*board.calendar.names.values()] == ["Monsoon"]
    assert board.build_sites is BuildSites.ANY


def wrong(more: str = "", **edits: tuple[str, str]) -> dict[str, str]:
    texts = small_texts(more)
    for key, (old, new) in edits.items():
        name = key.replace("_", ".")
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new, 1)
    return texts


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        (wrong("colour = 3"), "variant.toml has an unknown key 'colour'"),
        (wrong(variant_toml=('letter = "B"', 'letter = "R"')), "two powers have the letter R"),
        (wrong(variant_toml=('letter = "B"', 'letter = "b."')), "not one or two capitals"),
        (wrong(variant_toml=('name = "Blue"', 'name = "red"')), "two powers have the name red"),
        (
            wrong(variant_toml=('code = "BLUE"', 'code = "blue"')),
            "'blue' is not the code of a power",
        ),
        (wrong(variant_toml=('name = "Blue"', 'name = ""')), "BLUE has no name"),
        (wrong(variant_toml=('adjective = "blue"', 'adjective = ""')), "BLUE has no adjective"),
        (wrong(variant_toml=('"A EAS"', '"A WES"')), "two units stand in WES"),
        (wrong(variant_toml=('"A EAS"', '"EAS"')), "'EAS' is not a unit such as A BUD"),
        (wrong(variant_toml=('"S1901M"', '"soon"')), "'start' is 'soon', no phase"),
        (wrong(variant_toml=("S1901M", "W1901M")), "the calendar has no phase W1901M"),
        (wrong(variant_toml=("victory_centers = 4", "victory_centers = 9")), "9 of 5 centers"),
        (wrong(variant_toml=("victory_centers = 4", "")), "lacks 'victory_centers'"),
        (wrong(variant_toml=("victory_centers = 4", 'victory_centers = "4"')), "a whole number"),
        (wrong('victory_held = ["NTH"]'), "NTH, to be held for victory, is not a center"),
        (wrong('played = ["GREEN"]'), "'played' has GREEN, which is not a power"),
        (wrong('played = ["RED"]'), "there are 1 powers; 2 to 40 can play"),
        (wrong('played = ["RED"]\nothers = "gone"'), "'others' is 'gone', not one of absent"),
        (wrong('build_sites = "moon"'), "'build_sites' is 'moon', not one of home"),
        (wrong('centers_added = ["XXX"]'), "XXX, among the centers added or removed"),
        (wrong('closed = [{ between = ["WES"] }]'), "does not name two locations"),
        (wrong('closed = [{ between = ["WES", "XXX"] }]'), "XXX, whose border is closed"),
        (
            wrong('closed = [{ between = ["WES", "ISL"] }]'),
            "WES and ISL have no border that could",
        ),
        (wrong('closed = [{ between = ["LKE", "WES"], units = "F" }]'), None),
        (
            wrong('closed = [{ between = ["WES", "EAS"], years = "x" }]'),
            "is neither a year nor years",
        ),
        (wrong('closed = [{ between = ["WES", "EAS"], units = "X" }]'), "is not A, F or AF"),
        (wrong('closed = [{ between = ["WES", "EAS"], seasons = "X" }]'), "'X' is not a season"),
        (wrong("closed = [3]"), "'closed' in variant.toml is not a list of tables"),
        (wrong("doubts = [3]"), "'doubts' in variant.toml is not a list of texts"),
        (wrong("[calendar]\nturns = [{ season = 'S' }]"), "no turn of the calendar has adj"),
        (wrong("[neutral]\nunits = ['A XXX']"), "A XXX cannot stand there"),
        (wrong('[[powers]]\ncode = "RED"'), "there are 2 powers with the code RED"),
        (wrong(variant_toml=('["EAS"]', '["WES"]')), "WES belongs to both RED and BLUE"),
        (wrong(variant_toml=("victory_centers = 4", "victory_centers = 1")), "RED has won at"),
        (
            wrong(
                variant_toml=('centers = ["EAS"]\nunits = ["A EAS"]', "centers = []\nunits = []")
            ),
            "BLUE starts with neither units nor centers",
        ),
        (
            wrong(variant_toml=('units = ["A EAS"]', "units = []\nhomes = []")),
            "BLUE starts without units, and has nowhere to build one",
        ),
        (wrong(variant_toml=('units = ["A EAS"]', "units = []")), None),
        (
            wrong(variant_toml=('units = ["A EAS"]', 'units = ["A EAS"]\nextra_sites = ["XXX"]')),
            "XXX, where BLUE can build, is not a province",
        ),
        (wrong("["), "variant.toml is not TOML"),
        (wrong(provinces_csv=("MAR,Marsh,impassable", "MAR,Marsh,swamp")), "MAR is 'swamp'"),
        (wrong(provinces_csv=("MAR,Marsh", "WES,Marsh")), "provinces.csv has WES 2 times"),
        (
            wrong(provinces_csv=("MAR,Marsh", "m,Marsh")),
            "'m' is not a code of two to six capitals",
        ),
        (wrong(provinces_csv=("MAR,Marsh", "MAR,West")), "'west' is MAR and WES"),
        (wrong(provinces_csv=("MAR,Marsh,impassable", "MAR,Marsh,sea")), "MAR has no location"),
        (wrong(provinces_csv=("RED BLUE", "GREEN")), None),
        (wrong(provinces_csv=("code,name", "id,name")), "provinces.csv has no column 'code'"),
        (wrong(provinces_csv=("RED BLUE,,", "RED BLUE")), "line 5 of provinces.csv has not"),
        (wrong(locations_csv=("LAK,AF", "LAK,AF\nMAR,A")), "A stand in MAR, which is impassable"),
        (
            wrong(locations_csv=("LAK,AF", "LAK,A\nLAK/N-C,F")),
            "LAK/N-C is not a coast such as LAK/NC",
        ),
        (wrong(borders_csv=("WES,A,LAK", "WES,A,LAK EAS")), "WES touches EAS for A, but not the"),
        (wrong(borders_csv=("LAK,F,LKE", "LAK,F,LKE WES")), "for F, but not the other way round"),
        (wrong(borders_csv=("LKE,F,LAK", "LKE,F,LAK WES")), "one way, and also the other way"),
    ],
)
def test_a_folder_that_is_wrong_says_so_in_one_line(
    texts: dict[str, str], complaint: str | None
) -> None:
    if complaint is None:
        read_map(texts)
        return
    with pytest.raises(VariantError) as refused:
        read_map(texts)

    assert any(complaint in each and "\n" not in each for each in refused.value.complaints), (
        refused.value.complaints
    )


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ('[powers]\nRED = "x"\n[places]', "'powers' in names.de.toml has something that is not"),
        ("[powers]\nRED = { also = 3 }\n[places]", "'also' in powers.RED is not a list"),
        ("[powers]\n[places]\nWES = { name = 3 }", "'name' in places.WES is not a text"),
        ("[powers]", "names.de.toml lacks 'places'"),
        ("[powers]\n[places]", "de: WES stands on the board or among its names, not in both"),
    ],
)
def test_names_in_another_language_that_are_wrong_are_named(names: str, complaint: str) -> None:
    with pytest.raises(VariantError) as refused:
        read_map(small_texts() | {"names.de.toml": names})

    assert any(complaint in each for each in refused.value.complaints)


@pytest.mark.parametrize("missing", ["variant.toml", "provinces.csv", "locations.csv"])
def test_a_missing_file_is_named(missing: str) -> None:
    texts = small_texts()
    del texts[missing]

    with pytest.raises(VariantError, match=f"there is no {missing}"):
        read_map(texts)


def test_a_variant_extends_one_that_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "variant.toml").write_text('name = "x"\nextends = "fva"\n')
    chained = variant_files.read_folder(tmp_path)

    with pytest.raises(VariantError, match="'fva' extends another itself"):
        read_map(chained.texts, chained.base)

    (tmp_path / "variant.toml").write_text('name = "x"\nextends = "atlantis"\n')
    with pytest.raises(VariantError, match="it extends 'atlantis': no variant 'atlantis'"):
        variant_files.read_folder(tmp_path)
    with pytest.raises(VariantError, match="not TOML"):
        extended_variant({"variant.toml": "["})


def test_an_operator_has_variants_of_their_own(tmp_path: Path) -> None:
    write_small_board(tmp_path)
    try:
        variant_files.use_own_variants(tmp_path)

        assert "small" in variant_files.variants()
        assert variant_files.load_map("small").powers == ("RED", "BLUE")
    finally:
        variant_files.use_own_variants(None)
    assert "small" not in variant_files.variants()


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_has_a_picture_of_all_its_board(name: str) -> None:
    art = variant_files.load_art(name)

    assert art
    assert list(missing_in(art, variant_files.load_map(name))) == []


def test_a_picture_beside_an_inherited_one_says_what_differs() -> None:
    crowded, standard = variant_files.load_art("crowded"), variant_files.load_art("standard")

    assert crowded
    assert standard
    assert crowded.areas["RUH"].center
    assert standard.areas["RUH"].center is None
    assert crowded.areas["PAR"] == standard.areas["PAR"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("FVA", "fva"),
        ("ancient med", "ancient-med"),
        ("ancient", "ancient-med"),
        ("ancient_mediterranean", "ancient-med"),
        ("sengoku", "sengoku"),
        ("seng", None),
        ("", None),
        ("-", None),
    ],
)
def test_a_variant_is_named_as_people_write_it(text: str, name: str | None) -> None:
    assert variant_named(text, VARIANTS) == name
