"""`judge variant list`, `show`, `check`, `import` and `new`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.variant_files import folder_of, use_own_variants, variants
from judge.cli.root import root
from tests.unit.boards.small_board import small_texts
from tests.unit.boards.test_map_import import isthmus
from tests.unit.pictures.test_svg_board import DRAWN, art_of

USAGE, BAD_INPUT, UNAVAILABLE, CONFIGURATION = 64, 65, 69, 78


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(root, ["variant", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return the folder of a small variant."""
    folder = tmp_path / "small"
    folder.mkdir()
    for name, text in small_texts().items():
        (folder / name).write_text(text)
    return folder


def edit(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))


def test_list_names_every_variant() -> None:
    listed = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]

    assert tuple(each["variant"] for each in listed) == variants()
    assert {"powers": 2, "centers": 34}.items() <= {each["variant"]: each for each in listed}[
        "fva"
    ].items()
    assert "fva" in run("list").stdout


def test_check_prints_nothing_for_a_sound_folder(small: Path) -> None:
    checked = run("check", small)

    assert (checked.exit_code, checked.output) == (0, "")


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("borders.csv", "LAK,A,WES EAS", "LAK,A,WES", "EAS touches LAK for A, but not the other"),
        ("borders.csv", "NTH,F,WES EAS ISL", "NTH,F,WES EAS", "ISL touches NTH for F, but not"),
        ("locations.csv", "WES,AF", "WES,AF\nWES/X-Y,F", "WES/X-Y is not a coast such as WES/NC"),
        ("variant.toml", 'units = ["A EAS"]', 'units = ["A XXX"]', "A XXX cannot stand there"),
        ("variant.toml", 'centers = ["EAS"]', 'centers = ["WES"]', "WES belongs to both RED and"),
        ("variant.toml", 'code = "BLUE"', 'code = "RED"', "2 powers with the code RED"),
        ("variant.toml", "victory_centers = 4", "victory_centers = 1", "RED has won at the start"),
        (
            "variant.toml",
            "victory_centers = 4",
            "victory_centers = 4\nhouse_rules = { pres = 'no' }",
            "no such house rule or value: 'pres=no'",
        ),
        ("provinces.csv", "LAK,Lake Town", "LAK,East", "'east' is EAS and LAK"),
    ],
)
def test_check_says_in_one_line_what_is_wrong(
    small: Path, file: str, old: str, new: str, complaint: str
) -> None:
    edit(small, file, old, new)

    checked = run("check", small)

    assert checked.exit_code == BAD_INPUT
    assert any(complaint in line for line in checked.output.splitlines())
    as_json = run("check", small, "--json")
    told = json.loads(as_json.output)
    assert (as_json.exit_code, told["ok"]) == (BAD_INPUT, False)
    assert told["complaints"] == checked.output.splitlines()


def test_check_reads_the_svg_of_a_board_and_show_draws_it(small: Path, tmp_path: Path) -> None:
    (small / "board.svg").write_text(DRAWN)
    drawn = tmp_path / "drawn.svg"

    assert run("check", small).output == ""
    assert run("show", small, "--picture", drawn).exit_code == 0
    assert art_of().areas["WES"].path in drawn.read_text()

    (small / "board.svg").write_text(DRAWN.replace('id="WES"', 'id="WST"'))
    checked = run("check", small)
    assert checked.exit_code == BAD_INPUT
    assert checked.output.splitlines() == [
        "the picture does not show WES",
        "the picture shows WST, which is not a province",
    ]

    (small / "board.svg").write_text(DRAWN[:-1])
    [unread] = run("check", small).output.splitlines()
    assert unread.startswith("the SVG cannot be read: it is not well-formed XML")


def test_check_takes_the_name_of_a_variant_as_show_does() -> None:
    checked = run("check", "hundred")
    assert (checked.exit_code, run("check", folder_of("hundred")).output) == (0, checked.output)
    unknown = run("check", "mordern")
    assert (unknown.exit_code, "is no variant" in unknown.stderr) == (UNAVAILABLE, True)


def test_check_names_a_power_that_starts_with_nothing(small: Path) -> None:
    edit(small, "variant.toml", 'centers = ["EAS"]\nunits = ["A EAS"]', "centers = []\nunits = []")

    assert run("check", small).output == "BLUE starts with neither units nor centers\n"


@pytest.mark.gate
def test_draw_turns_the_board_by_its_places_and_check_reports_the_directions(small: Path) -> None:
    assert run("draw", small).exit_code == 0
    assert run("check", small).output == "", "it states no places"

    (small / "places.csv").write_text(
        "province,right,up\nWES,-2,0\nEAS,2,0\nLAK,0,-1\nNTH,0,2\nISL,0,4\n"
    )
    drawn = run("draw", small)

    assert drawn.exit_code == 0
    assert drawn.stdout.startswith(f"{small}: small\n")
    spots = json.loads((small / "board.json").read_text())["provinces"]
    assert spots["WES"]["unit"][0] < spots["EAS"]["unit"][0]
    assert spots["ISL"]["unit"][1] < spots["NTH"]["unit"][1] < spots["LAK"]["unit"][1]
    told = run("check", small).output
    share = json.loads(run("check", small, "--json").output)["directions"]
    assert share > 0.7
    assert told == f"{share:.0%} of pairs of provinces are in the right direction on the picture\n"
    assert drawn.stdout.endswith(told)


def test_draw_leaves_a_picture_that_is_not_drawn_from_borders(small: Path, tmp_path: Path) -> None:
    (small / "board.svg").write_text(DRAWN)
    run("new", tmp_path / "mine", "--extends", "standard")

    assert "board.svg" in run("draw", small).stderr
    assert "that of standard" in run("draw", tmp_path / "mine").stderr
    assert not (small / "board.json").exists()
    assert run("draw", small).exit_code == UNAVAILABLE


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("code,x,y\n", "the columns of places.csv are neither province,longitude,latitude nor"),
        ("province,right,up\nWES,1\n", "line 2 of places.csv is not a province and two numbers"),
        ("province,right,up\nWES,1,x\n", "line 2 of places.csv is not a province and two num"),
        ("province,right,up\nWES,nan,1\n", "line 2 of places.csv is not a province and two nu"),
        ("province,right,up\nXXX,1,1\n", "line 2 of places.csv: XXX is not a province"),
        ("province,right,up\nWES,1,1\nWES,2,2\n", "line 3 of places.csv: WES has a place alr"),
        ("province,longitude,latitude\nWES,1,90\n", "the latitude must be between -85 and 85"),
    ],
)
def test_check_says_what_is_wrong_with_places(small: Path, text: str, complaint: str) -> None:
    (small / "places.csv").write_text(text)

    checked = run("check", small)

    assert (checked.exit_code, complaint in checked.output) == (BAD_INPUT, True)
    assert complaint in run("draw", small).stderr


def test_check_names_a_province_that_no_unit_can_reach(small: Path) -> None:
    with (small / "provinces.csv").open("a") as provinces:
        provinces.write("MOO,Moon,inland,no,,,\nMAN,Mare,inland,no,,,\n")
    with (small / "locations.csv").open("a") as locations:
        locations.write("MOO,A\nMAN,A\n")
    with (small / "borders.csv").open("a") as borders:
        borders.write("MOO,A,MAN\nMAN,A,MOO\n")

    assert run("check", small).output == "no unit can reach MOO\nno unit can reach MAN\n"


@pytest.mark.usefixtures("small")
def test_the_variants_of_the_operator_have_names_too(tmp_path: Path) -> None:
    config, broken = tmp_path / "judge.toml", tmp_path / "broken"
    config.write_text(f'variants = "{tmp_path}"\n')
    run("new", broken)
    edit(broken, "variant.toml", "victory_centers = 3", "victory_centers = 9")

    try:
        listed = run("list", "--config", config)
        shown = run("show", "small", "--config", config)
    finally:
        use_own_variants(None)

    assert "\nsmall " in listed.stdout
    assert listed.stderr == "broken: 9 of 4 centers cannot win\n"
    assert "R  Red: A WES" in shown.stdout
    assert run("list", "--config", tmp_path / "none.toml").exit_code == CONFIGURATION


ART = {
    **dict.fromkeys(("width", "height"), 100),
    **dict.fromkeys(("coast", "land_border", "sea_border", "impassable", "neutral"), ""),
    "off_board": "",
}


def drawn(*codes: str) -> str:
    area = {"path": "M0 0", "unit": [1, 1], "dislodged": [2, 2], "center": [3, 3], "labels": []}
    return json.dumps(ART | {"provinces": dict.fromkeys(codes, area)})


ALL = ("WES", "STR", "EAS", "ISL", "LAK", "NTH", "LKE")


@pytest.mark.parametrize(
    ("picture", "complaint"),
    [
        (drawn(*ALL), ""),
        (drawn(*ALL[1:]), "the picture does not show WES\n"),
        (drawn(*ALL, "XXX"), "the picture shows XXX, which is not a province\n"),
        (drawn(*ALL).replace('"center"', '"middle"', 1), "no spot for the center WES\n"),
        ("{}", "board.json is not the picture of a board: 'provinces'\n"),
    ],
)
def test_check_wants_a_picture_that_covers_every_province(
    small: Path, picture: str, complaint: str
) -> None:
    (small / "board.json").write_text(picture)

    assert run("check", small).output.endswith(complaint)
    assert bool(complaint) == bool(run("check", small).exit_code)


def test_check_wants_a_spot_for_each_coast(tmp_path: Path) -> None:
    run("new", tmp_path / "mine")
    (tmp_path / "mine" / "board.json").write_text(drawn("CAP", "FOR", "PEN", "TOW", "SEA", "OCE"))

    assert run("check", tmp_path / "mine").output.splitlines() == [
        "the picture has no spot for a fleet in PEN/NC",
        "the picture has no spot for a fleet in PEN/SC",
    ]


def test_check_names_unreadable_files(small: Path) -> None:
    (small / "variant.toml").write_bytes(b"\xff")
    told = run("check", small)
    assert (told.exit_code, told.output) == (
        BAD_INPUT,
        "variant.toml is not in UTF-8: save it as UTF-8\n",
    )

    (small / "variant.toml").write_text("[")
    assert "variant.toml is not TOML" in run("check", small).output


def test_a_csv_file_saved_by_a_spreadsheet_is_read(small: Path) -> None:
    table = small / "provinces.csv"
    table.write_bytes(b"\xef\xbb\xbf" + table.read_bytes())

    assert run("check", small).output == ""


@pytest.mark.parametrize("extends", [(), ("--extends", "standard")])
def test_a_new_variant_is_sound(tmp_path: Path, extends: tuple[str, ...]) -> None:
    started = run("new", tmp_path / "mine", *extends)
    checked = run("check", tmp_path / "mine")

    assert started.exit_code == 0
    assert checked.exit_code == 0
    assert bool(checked.output) == bool(extends), "the standard board states places"


@pytest.mark.parametrize(
    ("name", "extends", "complaint", "code"),
    [
        ("My Variant", (), "is not the name of a variant", BAD_INPUT),
        ("mine", ("--extends", "fva"), "start from that one", UNAVAILABLE),
        ("mine", ("--extends", "atlantis"), "no variant 'atlantis'", USAGE),
        ("taken", (), "exists already", UNAVAILABLE),
        ("file/mine", (), "cannot be written", UNAVAILABLE),
    ],
)
def test_a_variant_that_cannot_be_started_is_refused(
    tmp_path: Path, name: str, extends: tuple[str, ...], complaint: str, code: int
) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "file").touch()

    refused = run("new", tmp_path / name, *extends)

    assert complaint in refused.stderr
    assert refused.exit_code == code


def test_import_writes_a_folder_from_a_map_file(tmp_path: Path) -> None:
    (tmp_path / "Isthmus.map").write_text(isthmus(last="W BAY"))

    done = run("import", tmp_path / "Isthmus.map", "--into", tmp_path / "isthmus")

    assert done.exit_code == 0
    assert "this line is left out: W BAY\n" in done.stderr
    assert run("check", tmp_path / "isthmus").exit_code == 0
    assert "source    Isthmus.map" in run("show", tmp_path / "isthmus").stdout


@pytest.mark.gate
def test_import_reads_the_files_that_a_map_file_starts_from(tmp_path: Path) -> None:
    (tmp_path / "base.map").write_text(isthmus())
    (tmp_path / "other.map").write_text("USE base.map\nMAP base\nVICTORY 4")
    (tmp_path / "duel.map").write_text("MAP standard\nUNPLAYED ALL EXCEPT FRANCE ITALY")

    run("import", tmp_path / "other.map", "--into", tmp_path / "other")
    run("import", tmp_path / "duel.map", "--into", tmp_path / "duel", "--name", "mine")
    named = run("check", tmp_path / "duel")

    assert "4 to win" in run("show", tmp_path / "other").stdout
    assert 'name = "mine"' in (tmp_path / "duel" / "variant.toml").read_text()
    assert named.output.startswith("the name is 'mine', that of the folder 'duel'\n")
    assert 'extends = "standard"' in (tmp_path / "duel" / "variant.toml").read_text()


FACTS = {
    "name": "Strip",
    "source": "our own",
    "first_phase": "Spring 1901 Movement",
    "build_rule": "home",
    "powers": [
        {"name": "Red", "letter": "R", "homes": ["AAA"], "units": ["A AAA"]},
        {"name": "Blue", "letter": "B", "homes": ["BBB"], "units": ["A BBB"]},
    ],
    "provinces": [
        {
            "id": code,
            "name": name,
            "abbreviations": [],
            "type": "land",
            "center": True,
            "coasts": [],
        }
        for code, name in (("AAA", "First"), ("BBB", "Second"))
    ],
    "army_borders": [["AAA", "BBB"]],
    "fleet_borders": [],
    "victory_centers": 2,
    "special": ["a railway runs from AAA to BBB"],
}


@pytest.mark.gate
def test_import_writes_a_folder_from_json_and_says_how_the_picture_gets_the_right_way_round(
    tmp_path: Path,
) -> None:
    (tmp_path / "strip.json").write_text(json.dumps(FACTS))

    done = run("import", tmp_path / "strip.json", "--into", tmp_path / "strip")

    assert done.stderr.startswith("drawing the board")
    assert "this is left out: a railway runs from AAA to BBB\n" in done.stderr
    assert f"{tmp_path}/strip/places.csv" in done.stderr
    assert f"judge variant draw {tmp_path}/strip" in done.stderr
    assert run("check", tmp_path / "strip").exit_code == 0


def test_import_reports_problems_of_its_output(tmp_path: Path) -> None:
    (tmp_path / "strip.json").write_text(json.dumps(FACTS | {"victory_centers": 3}))

    done = run("import", tmp_path / "strip.json", "--into", tmp_path / "strip")

    assert done.exit_code == BAD_INPUT
    assert "3 of 2 centers cannot win" in done.stderr


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("x.json", "[]", "it is not a JSON object"),
        ("x.json", '{"board": "atlantis.json"}', "no variant 'atlantis'"),
        ("x.map", "USE atlantis", "it starts from 'atlantis', which is not there"),
        ("x.map", "USE fva", "it starts from 'fva', which is not there"),
        ("x.map", "USE ../x", "it starts from '../x', which is not there"),
    ],
)
def test_a_file_that_is_no_board_is_refused(
    tmp_path: Path, file: str, text: str, complaint: str
) -> None:
    (tmp_path / file).write_text(text)

    refused = run("import", tmp_path / file, "--into", tmp_path / "x")

    assert refused.exit_code == BAD_INPUT
    assert complaint in refused.stderr
    assert not (tmp_path / "x").exists()


def test_a_file_needs_a_name_that_a_variant_can_have(tmp_path: Path) -> None:
    (tmp_path / "My Board.map").write_text(isthmus())

    refused = run("import", tmp_path / "My Board.map")

    assert refused.exit_code == BAD_INPUT
    assert "choose one with --name" in refused.stderr


def test_show_prints_powers_start_centers_calendar_build_sites_and_doubts() -> None:
    shown = run("show", "hundred").stdout

    for part in (
        "B  Burgundy: A DIJ, A FLA, F HOL, A LUX",
        "   centers DIJ FLA HOL LUX",
        "   unowned BRT CAN CAS SCO",
        "begins    S1425M",
        "calendar  S1425M S1425R S1430M S1430R W1430A",
        "builds in any owned center",
        "source    zond/godip",
        "doubt     ",
    ):
        assert part in shown


def test_show_prints_unusual_features(small: Path) -> None:
    edit(
        small,
        "variant.toml",
        'start = "S1901M"',
        'start = "S1901M"\nplayed = ["RED", "BLUE"]\nothers = "civil disorder"\n'
        'victory_held = ["LAK", "STR"]\nhouse_rules = { press = "none" }\n'
        'calendar = { names = { F = "Monsoon" } }',
    )
    edit(
        small,
        "variant.toml",
        'letter = "R"',
        'letter = "R"\nextra_sites = ["LAK"]',
    )
    with (small / "variant.toml").open("a") as file:
        file.write(
            '[[powers]]\ncode = "GREY"\nname = "Grey"\nadjective = "grey"\nletter = "G"\n'
            'centers = ["STR"]\nunits = []\nhomes = []\n'
        )

    shown = run("show", small).stdout

    for part in (
        "or own all of LAK STR",
        "G  Grey, in civil disorder: no units",
        "   homes none",
        "   builds also in LAK",
        "F is Monsoon",
        "suggests  press=none",
    ):
        assert part in shown


def test_show_prints_a_variant_as_json(small: Path) -> None:
    shown = json.loads(run("show", small, "--json").stdout)

    assert shown["variant"] == "small"
    assert shown["powers"][0]["homes"] == ["ISL", "WES"]
    assert shown["build_sites"] == "home"


@pytest.mark.parametrize("name", ["fva", "tiny"])
def test_show_draws_a_variant_that_has_a_picture_or_none(tmp_path: Path, name: str) -> None:
    picture = tmp_path / "drawn.svg"
    run("new", tmp_path / "tiny")

    shown = run("show", "fva" if name == "fva" else tmp_path / name, "--picture", picture)

    assert shown.exit_code == 0
    assert picture.read_text().startswith("<svg")


def test_show_refuses_an_unknown_variant(small: Path) -> None:
    assert run("show", "atlantis").exit_code == USAGE
    edit(small, "variant.toml", "victory_centers = 4", "")
    assert run("show", small).exit_code == BAD_INPUT


@pytest.mark.parametrize("name", ["board.svg", "provinces.csv"])
def test_a_folder_in_place_of_a_file_is_named(small: Path, name: str) -> None:
    (small / name).unlink(missing_ok=True)
    (small / name).mkdir()

    assert run("check", small).stdout == f"{name} cannot be read: Is a directory\n"
