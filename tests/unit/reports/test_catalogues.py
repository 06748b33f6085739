"""Translations: each catalogue is complete and keeps the placeholders and commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import babel
import pytest
from babel.messages.catalog import Message

from judge.app.commands import table
from judge.mail.intents import known
from judge.mail.intents.dates import find_times
from judge.notation.order_text import read_order
from judge.reports import languages as spoken
from judge.reports.board_names import long_order, power_name
from judge.reports.languages import (
    SOURCE,
    InflectedName,
    join_as_sentence,
    join_with_commas,
    language_named,
    language_title,
    translate,
)
from judge.reports.operator_templates import template_faults, template_names
from judge.reports.render import sentences, template_environment
from judge.resources import override_files
from tests.support.catalogues import (
    TEMPLATES,
    catalogue_of,
    forms_of,
    messages,
    unsaid,
    untranslated,
)
from tests.support.selection import in_one
from tests.unit.reports.samples import BOARD

OTHERS = [language for language in spoken.languages() if language != SOURCE]
UPDATE = "python -m tests.support.catalogues"
COMMANDS = {word for name in table.COMMANDS.names for word in name.split()}
SENTENCE = re.compile(r"(?:\b[A-Z]+ ){3,}[A-Z]+\b")  # in capitals, but no commands
BERLIN = timezone(timedelta(hours=1))
FRIDAY = datetime(2026, 11, 27, 20, tzinfo=BERLIN)


def source_of(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def placeholders(words: str) -> set[str]:
    return {found["name"] for found in spoken.PLACEHOLDER.finditer(words)}


def commands(words: str) -> set[str]:
    return set(re.findall(r"\b[A-Z]{3,}\b", SENTENCE.sub("", words))) & COMMANDS


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_has_exactly_the_messages_of_the_templates(language: str) -> None:
    ours = {(each.id, each.context) for each in messages() if each.id}
    theirs = {(each.id, each.context) for each in catalogue_of(language) if each.id}

    assert ours - theirs == set(), f"missing: {UPDATE}"
    assert theirs - ours == set(), f"not said any more: {UPDATE}"


# Text of templates that is the same in every language.
ALIKE = {
    "mail/base.txt.j2": {"Judge", "Game", "Variant", "Deadline"},  # read by programs
    "mail/door.txt.j2": {"Fname", "name", "password"},
    "mail/unknown_sender.txt.j2": {"Fname", "password"},
    "mail/words/outcomes.txt.j2": {"no convoy"},  # keys
    "replay/results.txt.j2": {"carried out"},
    "zine/marks/text.j2": {"Subject"},  # of the style `judge`, read by programs
}
# Templates in the language of a format, and those of the command line, which are English.
OTHERS_THAN_OURS = ("zine/marks/bbcode.j2", "zine/marks/typst.j2", "mail/words/rulebooks.txt.j2")


@in_one([each for each in template_names(TEMPLATES) if each.endswith(".j2")])
def test_templates_have_no_untranslated_words(name: str) -> None:
    if name not in OTHERS_THAN_OURS:
        assert set(unsaid(TEMPLATES / name)) == ALIKE.get(name, set())


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ('{{ _("Hello") }} <p class="x">JOIN {{ name }}</p>', []),
        ("<p>Hello</p>", ["Hello"]),
        ('<p aria-label="Hello {{ name }}">', ["Hello"]),
        ('{{ "no such" if name }}', ["no such"]),
        ('{{ _("{a}", a="in here") }}', []),
    ],
)
def test_untranslated_words_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, words: list[str]
) -> None:
    monkeypatch.setattr("tests.support.catalogues.TEMPLATES", tmp_path)
    (tmp_path / "some.html.j2").write_text(written, encoding="utf-8")

    assert unsaid(tmp_path / "some.html.j2") == words


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_is_empty_or_fuzzy(language: str) -> None:
    assert [each.id for each in untranslated(catalogue_of(language))] == []


@pytest.mark.parametrize("language", OTHERS)
def test_translations_keep_the_placeholders(language: str) -> None:
    for each in catalogue_of(language):
        values = [placeholders(words) for words in source_of(each)]
        for told in filter(None, forms_of(each) if each.id else ()):
            assert placeholders(told) in values, each.id


@pytest.mark.parametrize("language", OTHERS)
def test_translations_keep_the_commands(language: str) -> None:
    for each in catalogue_of(language):
        for told in filter(None, forms_of(each) if each.id else ()):
            assert commands(each.id if isinstance(each.id, str) else each.id[0]) <= {
                *re.findall(r"\b[A-Z]{3,}\b", told)
            }, each.id


@pytest.mark.parametrize("language", OTHERS)
def test_translated_table_columns_fit_a_line(language: str) -> None:
    for each in catalogue_of(language):
        for source, told in zip(source_of(each), forms_of(each), strict=False):
            if each.id and re.search(r"\S   ", source):
                longest = max(len(line) for line in source.split("\n"))
                assert max(map(len, told.split("\n"))) <= max(72, longest), told


@pytest.mark.parametrize("language", OTHERS)
def test_the_board_has_translated_names(language: str) -> None:
    assert language in BOARD.tongues


@pytest.mark.parametrize(
    ("word", "language"),
    [
        ("DE", "de"), ("Deutsch", "de"), ("German", "de"), ("allemand", "de"),
        ("FR", "fr"), ("FRANCAIS", "fr"), ("Fran\xe7ais", "fr"), ("Franz\xf6sisch", "fr"),
        ("EN", "en"), ("english", "en"), ("ANGLAIS", "en"), ("Englisch", "en"),
        ("Klingon", None), ("", None),
    ],
)  # fmt: skip
def test_a_language_is_recognized_by_its_names(word: str, language: str | None) -> None:
    assert language_named(word) == language


def test_a_language_is_shown_by_its_own_name() -> None:
    assert [language_title(each) for each in ("en", "de", "fr")] == [
        "English",
        "Deutsch",
        "Fran\xe7ais",
    ]


@pytest.mark.parametrize(
    ("language", "day", "short"),
    [
        ("en", "Fri 27 Nov 2026", "Fri 27 Nov"),
        ("de", "Fr., 27. Nov. 2026", "Fr., 27. Nov."),
        ("fr", "ven. 27 nov. 2026", "ven. 27 nov."),
    ],
)
def test_a_day_is_written_as_the_language_does(language: str, day: str, short: str) -> None:
    assert spoken.format_day(FRIDAY, language) == day
    assert spoken.format_day(FRIDAY, language, year=False) == short
    assert spoken.weekday_name(5, "fr") == "vendredi"


@pytest.mark.gate
def test_the_calendars_of_other_languages_can_go(tmp_path: Path) -> None:
    """`docs/operators/running.md` says which."""
    installed = Path(babel.__file__).parent
    shutil.copytree(installed, tmp_path / "babel", ignore=shutil.ignore_patterns("*.dat"))
    shutil.copy(installed / "global.dat", tmp_path / "babel")
    for name in ("root", *spoken.languages()):
        for file in (installed / "locale-data").glob(f"{name}[._]*"):
            shutil.copy(file, tmp_path / "babel" / "locale-data")
    program = f"import babel, {__name__} as tested; print(babel.__file__, tested.told())"
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{Path.cwd()}"}

    told_there = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert told_there.strip() == f"{tmp_path / 'babel' / '__init__.py'} {told()}"


def told() -> str:
    """Return what Babel says in each language, in what we write and in what we read."""
    written = [
        (
            language_title(each),
            spoken.format_day(FRIDAY, each),
            spoken.weekday_name(5, each),
            spoken.format_duration(timedelta(hours=25, minutes=1), each),
            spoken.format_duration(timedelta(days=3), each),
            join_as_sentence(["Rom", "Paris", "Bern"], each, "or"),
        )
        for each in spoken.languages()
    ]
    text = "from 1 December to Freitag, le 3 janvier, auf Französisch, en anglais, in German"
    return f"{written} {find_times(text, FRIDAY.date())} {known._languages()}"


def test_a_list_has_every_form_that_a_name_in_it_has() -> None:
    powers = ["Frankreich", InflectedName("T\xfcrkei", {"of": "der T\xfcrkei"})]

    assert join_as_sentence(powers, "de", "standard") == "Frankreich und T\xfcrkei"
    assert join_as_sentence(powers, "de", "or").form("of") == "Frankreich oder der T\xfcrkei"
    assert join_with_commas(powers).form("of") == "Frankreich, der T\xfcrkei"


def test_a_value_takes_the_grammatical_form_of_its_place() -> None:
    sea = InflectedName("Nordsee", {"in": "in der Nordsee"})

    assert (
        translate("de", "there is no unit {place:in}", place=sea)
        == "in der Nordsee ist keine Einheit"
    )
    assert translate("en", "{power:The} {n}", power="X", n=3) == "X 3"


def test_words_and_values_are_escaped_in_markup() -> None:
    template = template_environment("fr", markup=True).from_string(
        "{{ _('It was {day}.', day='<b>') }}"
    )

    assert template.render() == "C&#39;\xe9tait le &lt;b&gt;."


def test_the_moderator_is_named_as_powers_are() -> None:
    named_in = {
        language: power_name(BOARD, "MODERATOR", language) for language in ("en", "de", "fr")
    }

    assert named_in["en"].form("the") == "Moderator"
    assert named_in["de"].form("of") == "der Spielleitung"
    assert named_in["fr"].form("the") == "l'arbitre"
    assert power_name(BOARD, "OBSERVER", "de").form("of") == "einem Beobachter"
    assert power_name(BOARD, "OBSERVERS", "de").form("the") == "die Beobachter"
    assert power_name(BOARD, "OBSERVER", "fr").form("of") == "de l'observateur"
    assert power_name(BOARD, "OBSERVER") == "Observer"


def test_builds_and_missing_orders_have_words() -> None:
    built = [
        long_order(BOARD, read_order(text), "fr")
        for text in ("F BRE B", "A MAR B", "WAIVE", "A MAR D", "A LON - BEL VIA", "F SPA/SC H")
    ]

    assert built == [
        "Construit une flotte \xe0 Brest.",
        "Construit une arm\xe9e \xe0 Marseille.",
        "Renonce \xe0 construire.",
        "Arm\xe9e Marseille DISSOUTE.",
        "Arm\xe9e Londres -> Belgique par convoi.",
        "Flotte Espagne (c\xf4te sud) TIENT.",
    ]


def test_calendars_speak_the_language_of_their_reader() -> None:
    words = sentences("deadlines", "de")

    summary = words["summary"].format(game="dogger", phase="S1901M")
    assert summary == "dogger: Befehle f\xfcr S1901M sind f\xe4llig"
    assert words["due"].startswith("F\xfcr Befehle antworte")


OWN = """
msgid ""
msgstr "Language: de\\nContent-Type: text/plain; charset=utf-8\\n"

msgid "It was {day}."
msgstr "Vorher: {day}."
"""


@pytest.fixture(name="own")
def catalogue_of_an_operator(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / spoken.CATALOGUE.format("de")
    file.parent.mkdir(parents=True)
    file.write_text(OWN, encoding="utf-8")
    override_files("templates", tmp_path)
    yield file
    override_files("templates", None)


def test_an_operator_can_override_translations(own: Path) -> None:
    assert translate("de", "It was {day}.", day="gestern") == "Vorher: gestern."
    assert translate("de", "Players") == "Spieler"
    assert [each.text for each in template_faults(own.parents[3])] == []


@pytest.mark.parametrize(
    ("written", "instead", "why"),
    [
        ("Vorher: {day}", "Vorher: {date}", "{date} is not a value of 'It was {day}.'"),
        ('msgid "It was', 'nonsense "It was', "judge.po: "),
    ],
)
def test_a_mistake_in_an_operators_catalogue_is_reported(
    own: Path, written: str, instead: str, why: str
) -> None:
    own.write_text(OWN.replace(written, instead), encoding="utf-8")

    [fault] = template_faults(own.parents[3])
    assert why in fault.text
    assert fault.level == "error"
