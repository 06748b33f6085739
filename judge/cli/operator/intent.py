"""`judge intent`: how a sentence is read as a wish, and the operator's own examples."""

from __future__ import annotations

import json
from datetime import date
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from judge.adapters.whole_files import make_folder, replacing_file
from judge.cli.command_group import CommandGroup
from judge.cli.options import settings_options
from judge.cli.terminal import BAD_INPUT, UNAVAILABLE, counted, fail
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.mail.intents.known import Known
    from judge.mail.intents.weights import Weights

ROLES = click.Choice(("player", "stranger", "observer", "moderator"))
LANGUAGE = click.Choice(("en", "de", "fr"))
NEAREST = 5  # examples shown
SHOWN_MAX = 50  # examples that are read otherwise
MISSED_SHOWN_MAX = 200
DAY = date(2026, 1, 1)  # on which sentences are tried; only dates depend on it


class Tried(TypedDict):
    """A sentence as it is read."""

    sentence: str
    verdict: str
    probability: float
    commands: dict[str, tuple[str, ...]]  # by wish
    slots: dict[str, str]


@click.group(cls=CommandGroup)
def intent() -> None:
    """Try how sentences are read as wishes, and add examples of your own."""


@intent.command("try")
@click.argument("text")
@click.option("--as", "role", type=ROLES, default="player", help="The part of the writer.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def try_text(_: Settings, text: str, role: str, *, as_json: bool) -> None:
    """Print what TEXT is read as: the wish, what is done about it, and the nearest examples."""
    from judge.mail.intents.command_lines import commands_of
    from judge.mail.intents.reading import read_wishes
    from judge.mail.intents.sentences import sentences_in

    weights, known = _weights(), _known(role)
    readings: list[Tried] = [
        {
            "sentence": each.sentence,
            "verdict": each.verdict.value,
            "probability": round(each.probability, 3),
            "commands": {
                name: commands_of(weights.wishes[name], each, known) for name in each.wishes
            },
            "slots": dict(each.slots),
        }
        for each in read_wishes(sentences_in(text.splitlines()), known, weights)
    ]
    nearest = [{"wish": name, "example": example} for name, example in _nearest(text)]
    if as_json:
        click.echo(json.dumps({"readings": readings, "nearest": nearest}, ensure_ascii=False))
        return
    if not readings:
        click.echo("nothing is wanted, as far as the judge can tell")
    for each in readings:
        click.echo('{verdict}: "{sentence}" ({probability:.0%})'.format_map(each))
        for name, lines in each["commands"].items():
            click.echo(f"  {name}: {' | '.join(lines) or 'no command'}")
        for name, value in each["slots"].items():
            click.echo(f"  {name} = {value}")
    click.echo("nearest examples:")
    for example in nearest:
        click.echo("  {wish}: {example}".format_map(example))


def _nearest(text: str) -> list[tuple[str, str]]:
    from judge.mail.intents.features import features_of, words_of
    from judge.mail.intents.installed import examples_folder, own_folder
    from judge.mail.intents.wish_files import read_wish_files

    meanings = _weights().meanings
    sought = {*chain.from_iterable(features_of(words_of(text), meanings).kinds)}
    likeness: list[tuple[float, str, str]] = []
    for name, file in read_wish_files(examples_folder(), own_folder()).items():
        for example in file.examples:
            other = features_of(words_of(example), meanings)
            theirs = {*chain.from_iterable(other.kinds)}
            likeness.append((len(sought & theirs) / len(sought | theirs), name, example))
    return [(name, example) for _, name, example in sorted(likeness, reverse=True)[:NEAREST]]


@intent.command()
@click.argument("wish")
@click.argument("text")
@click.option("--language", type=LANGUAGE, default="en", help="The language of TEXT.")
@settings_options
def add(_: Settings, wish: str, text: str, language: str) -> None:
    """Add TEXT to your own examples of WISH, and learn from all examples anew (7 s).

    They are kept in the folder intents among your own templates (the setting templates).
    """
    from judge.mail.intents.installed import examples_folder, own_folder
    from judge.mail.intents.training import train
    from judge.mail.intents.weights import FILE
    from judge.mail.intents.wish_files import read_wish_files

    own, ours = own_folder(), examples_folder()
    if own is None:
        fail("name a folder for your own templates first: templates in judge.toml", UNAVAILABLE)
    files = read_wish_files(ours)
    if wish not in files:
        fail(f"there is no wish called {wish}; there are: {', '.join(files)}", BAD_INPUT)
    sentence = " ".join(text.split())
    if not sentence or '"""' in sentence or "\\" in sentence:
        fail("an example is a sentence without backslashes", BAD_INPUT)
    make_folder(own)
    _append(own / f"{wish}.toml", language, sentence)
    with replacing_file(own / FILE) as file:
        file.write(train(ours, own).to_bytes())
    click.echo(
        f"added to {own / wish}.toml; a running judge uses it after: judge templates reload"
    )


def _append(file: Path, language: str, sentence: str) -> None:
    """Add *sentence* at the end of the texts of *file*, by language."""
    import tomllib

    texts = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    texts[language] = f"{texts.get(language, '')}{sentence}\n"
    written = (f'{name} = """\n{text}"""\n' for name, text in texts.items())
    with replacing_file(file) as opened:
        opened.write("".join(written).encode())


@intent.command("missed")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def list_missed(settings: Settings, *, as_json: bool) -> None:
    """List the sentences of the last 30 days that were not understood, newest first.

    Names are masked, and words that no example has. Add those that express a wish, in your own
    words, with add; add them to none if nothing was wanted.
    """
    from judge.cli.game_source import open_existing_store

    with open_existing_store(settings) as judge, judge.database.read() as transaction:
        found = transaction.missed.latest(MISSED_SHOWN_MAX)
    if as_json:
        rows = [{"day": f"{when:%Y-%m-%d}", "sentence": text} for text, when in found]
        click.echo(json.dumps({"missed": rows}, ensure_ascii=False))
        return
    if not found:
        click.echo("everything was understood")
    for text, when in found:
        click.echo(f"{when:%Y-%m-%d}  {text}")


@intent.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def check(_: Settings, *, as_json: bool) -> None:
    """List the examples that are not read as the wish they are examples of."""
    from judge.mail.intents.features import features_of, words_of
    from judge.mail.intents.installed import examples_folder, own_folder
    from judge.mail.intents.wish_files import read_wish_files

    weights = _weights()
    names, total = tuple(weights.wishes), 0
    wrong: list[dict[str, str]] = []
    for name, file in read_wish_files(examples_folder(), own_folder()).items():
        for example in file.examples:
            total += 1
            found = features_of(words_of(example), weights.meanings)
            shares = weights.probabilities(found, range(len(names)))
            best = max(range(len(names)), key=shares.__getitem__)
            if names[best] != name:
                wrong.append({"wish": name, "read_as": names[best], "example": example})
    if as_json:
        click.echo(json.dumps({"examples": total, "otherwise": wrong}, ensure_ascii=False))
        return
    for each in wrong[:SHOWN_MAX]:
        click.echo("{wish}: read as {read_as}: {example}".format_map(each))
    click.echo(f"{counted(len(wrong), 'example')} of {total} read otherwise")


def _weights() -> Weights:
    from judge.mail.intents import installed

    weights = installed.weights()
    if weights is None:
        fail("this checkout has no weights: install it (pip install -e .)", UNAVAILABLE)
    return weights


def _known(role: str) -> Known:
    from judge.adapters.variant_files import load_map
    from judge.mail.intents.known import Known
    from judge.mail.intents.wish_files import Role
    from judge.rules.board import DEFAULT_VARIANT

    return Known(
        role=Role(role),
        board=load_map(DEFAULT_VARIANT),
        games=frozenset(),
        today=DAY,
        answers_proposal=True,
    )
