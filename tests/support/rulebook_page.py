"""Write the choices and cases of `docs/rulebooks.md`: `python -m tests.support.rulebook_page`.

The prose of that page is written by hand; the parts between its marks come from the rules
themselves, and the cases of the DATC are played under each preset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from judge.reports.render import rulebook_texts
from judge.rules.presets import PRESETS, Basis
from judge.rules.rulebook import (
    DATC,
    QUESTIONS,
    RULEBOOKS,
    Rulebook,
    answer_in,
    answer_of,
    answers_to,
    number_of,
    with_choices,
)
from tests.datc.cases_file import (
    Case,
    Facts,
    cases_of_other_editions,
    cases_of_the_edition,
    expected,
    law_of,
    phases_of,
    played,
)

FILE = Path(__file__).parents[2] / "docs/rulebooks.md"
PART = re.compile(r"(?<=<!-- generated: )(\w+) -->\n.*?(?=<!-- end -->)", re.DOTALL)
NO_ROUTES = {"written_route": DATC.written_route}  # no case writes one
CASES = cases_of_the_edition()
NUMBERS = list(CASES)


def page(text: str) -> str:
    """Return *text* with its generated parts as they should be."""
    return PART.sub(lambda part: f"{part[1]} -->\n{PARTS[part[1]]()}\n", text)


def questions() -> str:
    """Every question with its answers."""
    words = rulebook_texts()
    lines = []
    for question in QUESTIONS:
        lines += ["", f"**{number_of(question)} `{question}`** {words[question]}:", ""]
        lines += [
            f"- `{answer.value}`: {words[f'{question}={answer.value}']}"
            for answer in answers_to(question)
        ]
    return "\n".join([*lines[1:], ""])


def choices() -> str:
    """The choices of each preset, and their sources."""
    words = rulebook_texts()
    parts = []
    for name in RULEBOOKS:
        parts += [f"### `{name}`", "", f"Stands for {words[name]}.", "", *_choices(name), ""]
    return "\n".join(parts)


def changes() -> str:
    """The cases that change under presets, and how."""
    rows = [
        (number, change, name)
        for name, rulebook in RULEBOOKS.items()
        for number, change in _changed(with_choices(rulebook, NO_ROUTES))
    ]
    rows.sort(key=lambda row: (NUMBERS.index(row[0]), row[1]))
    told = [
        (f"{number} {CASES[number]['title']}", ", ".join(name for _, _, name in alike), change)
        for (number, change), alike in groupby(rows, key=lambda row: row[:2])
    ]
    return _table(("case", "under", "what comes of it"), told)


def unverified() -> str:
    """The results of the entries that are not asserted."""
    rows = []
    for number, case in cases_of_other_editions().items():
        if "unverified" in case:
            facts = list(played(case, law_of(case.get("rules", {}))))
            agrees = facts == [expected(phase) for phase in phases_of(case)]
            rows.append((number, case["title"], "as entered" if agrees else "otherwise"))
    return _table(("entry", "what it shows", "comes out"), rows)


PARTS: Mapping[str, Callable[[], str]] = {
    part.__name__: part for part in (questions, choices, changes, unverified)
}


def _choices(preset: str) -> Iterator[str]:
    """Yield a line for each choice that has a source, and the others by what they rest on."""
    if not PRESETS[preset]:
        yield "DATC 3.2 states each."
        return
    others: dict[str, list[str]] = {}
    for question in QUESTIONS:
        answer = answer_of(preset, question)
        choice, test = answer_in(RULEBOOKS[preset], question).value, answer.test
        word = _capitalized(answer.basis.value)
        if answer.basis in {Basis.STATED, Basis.TESTED}:
            tested = f" Tested: `{test}`." if test else ""
            yield f"- `{question}={choice}`: {answer.source}.{tested}"
        elif answer.choice:  # not the choice of DATC 3.2
            yield f"- `{question}={choice}`: {word.lower()}; {answer.source}."
        else:
            why = f" ({answer.source})" if answer.source else ""
            others.setdefault(f"{word}{why}", []).append(f"`{question}`")
    for why, questions in others.items():
        yield f"- {why}: {', '.join(questions)}."


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _changed(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield each case that comes out otherwise than under the choices of DATC 3.2, and how."""
    for number, case in CASES.items():
        usual, facts = list(played(case, DATC)), list(played(case, rulebook))
        if facts != usual:
            yield number, "; ".join(_differences(case, usual, facts))


def _differences(case: Case, usual: Sequence[Facts], facts: Sequence[Facts]) -> Iterator[str]:
    for phase, before, after in zip(phases_of(case), usual, facts, strict=True):
        orders = [text for several in phase["orders"].values() for text, _ in several]
        for order, was, words in zip(orders, before["results"], after["results"], strict=True):
            if words != was:
                yield f"`{order}` {words}"
        if after["removed"] != before["removed"]:
            removed = [unit for units in after["removed"].values() for unit in units]
            yield f"{', '.join(f'`{unit}`' for unit in removed)} removed"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))


if __name__ == "__main__":
    FILE.write_text(page(FILE.read_text(encoding="utf-8")), encoding="utf-8")
