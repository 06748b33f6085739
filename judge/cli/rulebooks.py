"""`judge rulebook`: show the choices of each rulebook, and where two differ."""

from __future__ import annotations

import json
from collections import Counter
from textwrap import fill

import click

from judge.cli.command_group import CommandGroup
from judge.cli.options import complete_rulebook
from judge.cli.terminal import USAGE, fail
from judge.reports.render import rulebook_texts
from judge.rules.presets import Basis
from judge.rules.rulebook import (
    QUESTIONS,
    RULEBOOKS,
    Rulebook,
    UnknownRulebookError,
    answer_in,
    answer_of,
    differences,
    has_effect,
    number_of,
    preset_of,
    rulebook_named,
)

CHOSEN = "chosen"  # in the rulebook itself, not by its preset
WIDTH = 96  # of a line in the terminal
AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON line per row.")


@click.group(cls=CommandGroup)
def rulebook() -> None:
    """Show the rulebooks, their choices, and where two of them differ.

    A rulebook is a preset, optionally followed by single choices: `datc`, or
    `1982,convoy_paradoxes=szykman,4.A.3=land`. A question has a name, and its number in chapter 4
    of the DATC.
    """


@rulebook.command("list")
@AS_JSON
def list_presets(*, as_json: bool) -> None:
    """List the presets: printed rulebooks and other judges."""
    for name in RULEBOOKS:
        bases = Counter(answer_of(name, question).basis for question in QUESTIONS)
        counts = {basis.value: bases[basis] for basis in Basis if bases[basis]}
        if as_json:
            click.echo(json.dumps({"rulebook": name, "means": rulebook_texts()[name]} | counts))
        else:
            sources = ", ".join(f"{count} {source}" for source, count in counts.items())
            click.echo(f"{name:18}{rulebook_texts()[name]} ({sources})")


@rulebook.command()
@click.argument("name", metavar="RULEBOOK", shell_complete=complete_rulebook)
@AS_JSON
def show(name: str, *, as_json: bool) -> None:
    """Show what RULEBOOK chooses, question by question.

    A choice is stated in a source of the preset, tested, assumed to be that of DATC 3.2, not asked
    there, or chosen in RULEBOOK itself. Some choices have no effect in combination with others.
    """
    rulebook = _named(name)
    if not as_json:
        _show_head(name, rulebook)
    for question in QUESTIONS:
        asked, choice = _question_fields(question), _choice_fields(rulebook, question)
        source, evidence = _source(name, rulebook, question)
        if as_json:
            more = {
                "source": source,
                "evidence": evidence,
                "effect": has_effect(rulebook, question),
            }
            click.echo(json.dumps(asked | choice | more))
        else:
            moot = "" if has_effect(rulebook, question) else f"; {rulebook_texts()['no_effect']}"
            click.echo(f"{asked['number']}  {question}={choice['choice']}  ({source}{moot})")
            click.echo(_below(f"{asked['asks']}: {choice['means']}."))
            if evidence:
                label = "Source" if source in {Basis.STATED.value, Basis.TESTED.value} else "Why"
                click.echo(_below(f"{label}: {evidence}."))


@rulebook.command()
@click.argument("one", metavar="RULEBOOK", shell_complete=complete_rulebook)
@click.argument("other", metavar="RULEBOOK", shell_complete=complete_rulebook)
@AS_JSON
def diff(one: str, other: str, *, as_json: bool) -> None:
    """Show the questions on which two RULEBOOKs differ."""
    rulebooks = {one: _named(one), other: _named(other)}
    if rulebooks[one] == rulebooks[other] and not as_json:
        click.echo(rulebook_texts()["no_difference"])
    for question in differences(rulebooks[one], rulebooks[other]):
        asked, choices = (
            _question_fields(question),
            {name: _choice_fields(rulebook, question) for name, rulebook in rulebooks.items()},
        )
        if as_json:
            click.echo(json.dumps(asked | {"choices": choices}))
        else:
            click.echo(f"{asked['number']}  {question}")
            click.echo(_below(f"{asked['asks']}:"))
            for name, answer in choices.items():
                click.echo(_below(f"{name}: {answer['choice']}, {answer['means']}."))


def _show_head(name: str, rulebook: Rulebook) -> None:
    """Write what *name* stands for, and what its choices rest on."""
    words = rulebook_texts()
    click.echo(fill(f"{name}: {words[preset_of(name)]}.", WIDTH))
    counts = Counter(_source(name, rulebook, question)[0] for question in QUESTIONS)
    for basis in (*(each.value for each in Basis), CHOSEN):
        if counts[basis]:
            click.echo(f"{counts[basis]} {basis}: {words[basis]}.")
    click.echo()


def _named(name: str) -> Rulebook:
    try:
        return rulebook_named(name)
    except UnknownRulebookError as error:
        fail(str(error), USAGE)


def _question_fields(question: str) -> dict[str, object]:
    asks = rulebook_texts()[question]
    return {"number": number_of(question), "question": question, "asks": asks}


def _choice_fields(rulebook: Rulebook, question: str) -> dict[str, object]:
    choice = answer_in(rulebook, question).value
    return {"choice": choice, "means": rulebook_texts()[f"{question}={choice}"]}


def _source(name: str, rulebook: Rulebook, question: str) -> tuple[str, str]:
    """Return what the answer of *rulebook* rests on, and the place or test that shows it."""
    preset = preset_of(name)
    if question in differences(RULEBOOKS[preset], rulebook):
        return CHOSEN, ""
    answer = answer_of(preset, question)
    return answer.basis.value, "; ".join(filter(None, (answer.source, answer.test)))


def _below(text: str) -> str:
    indent = " " * len("4.A.1  ")
    return fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent)
