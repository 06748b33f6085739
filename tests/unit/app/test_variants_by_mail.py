"""Games on other boards by mail; a game keeps its board if the variant folder changes."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from judge.adapters import variant_files
from judge.app.ports.judge import GameCache
from judge.cli.operator.log import verify_game
from judge.game.game_state import Stage
from tests.support.table import Table, address_of
from tests.unit.app.test_new_moderators import STRANGER, created
from tests.unit.boards.small_board import small_texts, write_small_board


def test_create_names_a_board(judge: Table) -> None:
    opened = created(judge, "CREATE opal variant=fva press=none")

    assert "France v" in opened.text
    game = judge.game("opal")
    assert game.variant == "fva"
    assert game.board_digest == variant_files.load_map("fva").digest
    assert judge.judge.board_of(game).powers == ("AUSTRIA", "FRANCE")


@pytest.mark.parametrize(
    ("written", "meant"),
    [("FVA", "fva"), ("ancient_med", "ancient-med"), ("AncientMediterranean", "ancient-med")],
)
def test_a_board_is_found_as_people_write_it(judge: Table, written: str, meant: str) -> None:
    created(judge, f"CREATE opal variant={written}")

    assert judge.game("opal").variant == meant


def test_an_unknown_board_is_answered_with_those_there_are(judge: Table) -> None:
    [wrong] = judge.mail(STRANGER, "CREATE opal variant=atlantis")

    assert "variant=atlantis" in wrong.text
    assert "ancient-med" in wrong.text


def test_the_board_of_a_game_cannot_be_changed(judge: Table) -> None:
    mail = created(judge, "CREATE opal")

    [answer] = judge.reply(mail, "SET RULE variant=fva")

    assert "cannot be changed" in answer.words
    assert judge.game("opal").variant == "standard"


def test_a_game_for_two_starts_with_two_and_is_played(judge: Table) -> None:
    judge.start("duel", variant="fva")

    assert judge.game("duel").stage is Stage.PLAYING
    assert "Board: France" in judge.latest("FRANCE", "duel").text
    judge.send("FRANCE", "A Par-Bur\nA Mar-Spa\nF Bre-MAO", "duel")
    judge.send("AUSTRIA", "A Vie-Boh\nA Bud-Ser\nF Tri-Alb", "duel")
    judge.pass_time(hours=13)

    assert judge.phase("duel") == "F1901M"
    results = judge.latest("FRANCE", "duel")
    assert "Austria" in results.text
    assert "England" not in results.text


def test_a_power_that_nobody_plays_is_in_civil_disorder(judge: Table, tmp_path: Path) -> None:
    own = tmp_path / "duel-with-others"
    own.mkdir()
    (own / "variant.toml").write_text(
        'name = "duel-with-others"\nextends = "standard"\nplayed = ["AUSTRIA", "FRANCE"]\n'
        'others = "civil disorder"\n'
    )
    try:
        variant_files.use_own_variants(tmp_path)
        judge.start("duel", variant="duel-with-others")

        seats = judge.game("duel").seats
        assert {power for power, seat in seats.items() if seat.person} == {"AUSTRIA", "FRANCE"}
        position = judge.game("duel").position
        assert position
        assert len(position.units_of("ENGLAND")) == 3
    finally:
        variant_files.use_own_variants(None)


@pytest.mark.parametrize("text", ["A Dam - Jer", "GAME east\nA Ant H"])
def test_orders_on_another_board_are_held_where_nobody_vouches_for_their_sender(
    judge: Table, text: str
) -> None:
    judge.start("east", variant="ancient-med")

    [question] = judge.mail(address_of("PERSIA"), text)

    assert question.kind == "confirm_mail"
    judge.confirm(question)
    assert judge.current_orders("PERSIA", "east")


@pytest.mark.parametrize(
    ("variant", "power", "order", "told"),
    [
        ("world", "ARGENTINA", "fleet Chile to Southeast Pacific", "F Chi-Sep"),
        ("vietnam-war", "CAMBODIA", "Fleet Preah to Central Gulf of Thailand", "F Pre-Cgo"),
    ],
)
def test_a_command_below_the_name_of_a_power_is_no_part_of_the_order(
    judge: Table, variant: str, power: str, order: str, told: str
) -> None:
    judge.start("east", variant=variant)

    receipt = judge.send(power, f"{order}\nSET WAIT", "east")

    assert told in receipt.words
    assert "WAIT is set" in receipt.words


def test_orders_of_a_stranger_who_names_a_game_are_shown_back_by_its_board(judge: Table) -> None:
    judge.start("east", variant="ancient-med")

    [answer] = judge.mail("somebody@new.example", "GAME east\nF Nea H\nA Rav H")

    assert "| F Nea H | A Rav H" in answer.words


@pytest.mark.parametrize("variant", ["pure", "hundred", "chaos", "western-world", "ancient-med"])
def test_a_year_is_played_by_mail_and_verified(judge: Table, variant: str) -> None:
    judge.start("year", "nmr=hold", variant=variant)
    first = judge.game("year").position
    assert first

    for _ in range(3):
        judge.wait_until(judge.deadline("year"))
        judge.pass_time(hours=25)

    game = judge.game("year")
    assert game.position
    assert game.position.phase > first.phase
    with judge.database.read() as transaction:
        verified = verify_game(transaction, "year")
    assert verified.wrong is None
    assert verified.phases >= 2


def test_a_power_that_orders_no_first_build_gets_an_army(judge: Table, tmp_path: Path) -> None:
    powers = (
        f'[[powers]]\ncode = "{code}"\nname = "{name}"\nadjective = "{name}"\n'
        f'letter = "{name[0]}"\ncenters = ["{code[:3]}"]\nhomes = ["{code[:3]}"]\nunits = []\n'
        for code, name in (("BREST", "Brest"), ("TRIESTE", "Trieste"))
    )
    own = tmp_path / "cities"
    own.mkdir()
    (own / "variant.toml").write_text(
        'name = "cities"\nextends = "standard"\nstart = "W1900A"\nfirst_armies = true\n'
        + "".join(powers)
    )
    try:
        variant_files.use_own_variants(tmp_path)
        judge.start("cities", "nmr=hold", variant="cities")
        assert "neither ordered nor waived" in judge.latest("BREST", "cities").text
        judge.send("BREST", "Build F Bre", "cities")
        for _ in range(2):  # the first deadline moves once
            judge.wait_until(judge.deadline("cities"))
            judge.pass_time(hours=25)

        [results] = [
            mail.words
            for mail in judge.emails_to(address_of("BREST"))
            if "Trieste: Builds" in mail.words
        ]
        assert "Builds a fleet in Brest. Trieste: Builds an army in Trieste. (no order)" in results
        position = judge.game("cities").position
        assert position
        assert [f"{each}" for each in position.units] == ["F BRE", "A TRI"]
        with judge.database.read() as transaction:
            assert verify_game(transaction, "cities").wrong is None
    finally:
        variant_files.use_own_variants(None)


def test_a_chart_has_no_year_before_year_0(judge: Table) -> None:
    judge.start("islands", variant="north-sea-wars")

    judge.send("BRITONS", "SUMMARY", "islands")

    chart = judge.latest("BRITONS", "islands")
    assert " start   2   2   2   2" in chart.text
    assert "-1" not in chart.text


def test_a_game_keeps_its_board_whatever_happens_to_the_folder(
    judge: Table, tmp_path: Path
) -> None:
    own = write_small_board(tmp_path)
    try:
        variant_files.use_own_variants(tmp_path)
        judge.start("keep", variant="small", moderator="mod@players.example")
        began = judge.judge.board_of(judge.game("keep"))

        changed = small_texts()
        changed["borders.csv"] = changed["borders.csv"].replace("WES,A,LAK", "WES,A,LAK EAS")
        changed["borders.csv"] = changed["borders.csv"].replace("EAS,A,LAK", "EAS,A,LAK WES")
        for name, text in changed.items():
            (own / name).write_text(text)
        variant_files.use_own_variants(tmp_path)
        _restart(judge)
        assert variant_files.load_map("small").digest != began.digest
        assert judge.judge.board_of(judge.game("keep")).digest == began.digest

        shutil.rmtree(own)
        variant_files.use_own_variants(tmp_path)
        _restart(judge)
        board = judge.judge.board_of(judge.game("keep"))
        assert board.army == began.army
        judge.send("RED", "A WES - LAK", "keep")
        assert judge.current_orders("RED", "keep") == ("A WES - LAK",)
        with judge.database.read() as transaction:
            assert verify_game(transaction, "keep").wrong is None
    finally:
        variant_files.use_own_variants(None)


def test_a_game_continues_if_a_later_version_finds_its_board_wrong(
    judge: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_small_board(tmp_path)
    try:
        variant_files.use_own_variants(tmp_path)
        judge.start("keep", variant="small")
        judge.render()
    finally:
        variant_files.use_own_variants(None)

    monkeypatch.setattr(
        "judge.boards.variant_text.find_contradictions",
        lambda board, *_: iter(["a new complaint"] if board.name == "small" else []),
    )
    _restart(judge)

    judge.send("RED", "A WES - LAK", "keep")
    assert judge.current_orders("RED", "keep") == ("A WES - LAK",)


def _restart(judge: Table) -> None:
    judge.judge = replace(judge.judge, game_cache=GameCache())


def test_a_board_suggests_house_rules_that_the_moderator_may_change(
    judge: Table, tmp_path: Path
) -> None:
    own = tmp_path / "dark"
    own.mkdir()
    (own / "variant.toml").write_text(
        'name = "dark"\nextends = "standard"\n[house_rules]\nblind = "yes"\npress = "none"\n'
    )
    try:
        variant_files.use_own_variants(tmp_path)
        created(judge, "CREATE opal variant=dark press=all")
    finally:
        variant_files.use_own_variants(None)

    rules = judge.game("opal").house_rules
    assert rules.blind
    assert rules.press.value == "all"


def test_a_house_rule_lets_powers_build_anywhere(judge: Table) -> None:
    judge.start("baltic", "template=build_anywhere")

    board = judge.judge.board_of(judge.game())

    assert board.build_sites.value == "any"
    assert board.name == "standard"
    assert (
        "Powers build in any center they own." in judge.emails_to(address_of("FRANCE"))[-1].words
    )


@pytest.mark.parametrize(
    ("asked", "blind", "sites"),
    [
        ("variant=fva template=fog", True, "board"),
        ("template=Build-Anywhere variant=fva", False, "any"),
        ("template=fog build_sites=any variant=fva", True, "any"),
    ],
)
def test_build_anywhere_and_fog_of_war_are_presets_for_every_board(
    judge: Table, asked: str, sites: str, *, blind: bool
) -> None:
    created(judge, f"CREATE opal {asked}")

    game = judge.game("opal")
    assert game.variant == "fva"
    assert game.house_rules.blind is blind
    assert game.house_rules.build_sites.value == sites


@pytest.mark.parametrize("page", ["LIST VARIANTS", "HELP CREATE"])
def test_the_presets_are_named_where_a_game_is_chosen(judge: Table, page: str) -> None:
    [answer] = judge.mail(STRANGER, page)

    assert "Fog of War" in answer.words
    assert "template=fog" in answer.words
    assert "template=build_anywhere" in answer.words


def test_the_variants_are_listed(judge: Table) -> None:
    [answer] = judge.mail(STRANGER, "LIST VARIANTS")

    assert "fva" in answer.text
    assert "France" in answer.text
    assert "western-world" in answer.text


@pytest.mark.parametrize("written", ["VARIANT hundred", "variant Hundred"])
def test_a_variant_is_shown_with_its_start(judge: Table, written: str) -> None:
    [answer] = judge.mail(STRANGER, written)

    assert answer.subject.endswith("Variant: Hundred")
    assert "9 of the 17 centers" in answer.words
    assert "Burgundy" in answer.text
    assert "CREATE game variant=hundred" in answer.words


def test_an_unknown_variant_is_answered_with_the_list(judge: Table) -> None:
    [answer] = judge.mail(STRANGER, "VARIANT atlantis")

    assert "There is no variant called atlantis." in answer.words
    assert "fva" in answer.text


def test_examples_are_of_the_board_of_the_game(judge: Table) -> None:
    judge.start("years", variant="hundred")

    start = judge.latest("BURGUNDY", "years")

    assert "or like these: A Dij-" in start.words
    assert "Par-Bur" not in start.text


def test_power_letters_are_those_of_the_games_board(judge: Table) -> None:
    judge.open("seas", variant="north-sea-wars")
    board = judge.judge.boards("north-sea-wars")

    for power in board.players:
        [confirm] = judge.mail(
            address_of(power), f"JOIN seas\nSET PREFERENCE {board.nations[power].letter}"
        )
        judge.reply(confirm, confirm.yes)

    seats = judge.game("seas").seats
    assert len({seat.person for seat in seats.values()}) == 4
    for power in board.players:
        assert judge.emails_to(address_of(power), "game_start")[-1].subject.endswith(
            board.nations[power].name
        )


def test_how_a_strangers_email_is_read_does_not_show_an_unlisted_game(judge: Table) -> None:
    judge.open("secret", "listed=no", variant="north-sea-wars")

    answers = [
        judge.mail(STRANGER, f"JOIN {name}\nSET PREFERENCE N")[0].words.replace(name, "GAME")
        for name in ("secret", "nosuch")
    ]

    assert answers[0].partition("To answer")[0] == answers[1].partition("To answer")[0]
