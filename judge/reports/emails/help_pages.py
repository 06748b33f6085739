"""The answer to HELP: the commands of a topic, and the text on it.

The texts are in `templates/help`; `{forms}` in one is replaced by the ways to write the commands.
A topic without a text is explained by what its commands do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version

from judge.reports.emails.contexts import Context, Heading, SuggestedReply, word_replies
from judge.reports.languages import translate, translate_page
from judge.resources import folder, read_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Help(Context):
    """Help on all commands, or on one *topic*, with the *forms* of its commands.

    *asked* is a topic that does not exist. How to win has the board of the reader's game, and the
    number of centers that wins there. With a *question*, one of several in an email, the page has
    only what answers it.
    """

    topic: str
    forms: Mapping[str, str]
    asked: str | None
    board: str = ""
    victory_centers: int = 0
    question: str = ""

    def replies(self) -> tuple[SuggestedReply, ...]:
        return word_replies("list", "help")


OVERVIEW = "overview"
TOPICS = tuple(
    sorted(path.stem for path in (folder("templates") / "help").iterdir() if path.stem != OVERVIEW)
)
FORMS = "{forms}"  # where a text has those of its commands
TERMS = "terms"  # the topic with a line for each
PARAGRAPH = re.compile(r"\n\s*\n")
WORD, STEM = re.compile(r"\w{3,}"), 5  # letters that words of one root share
VERSION = "{version}"  # where a text has that of the judge


def help_page(
    topic: str | None, forms: Mapping[str, str], *, judge_code: str, asked: str | None = None
) -> Help:
    """Answer HELP on *topic*; without one, with the overview.

    *forms* are ways to write its commands, with what each does.
    """
    return Help(
        heading=Heading(judge_code),
        topic=topic or OVERVIEW,
        forms=forms,
        asked=None if topic else asked,
    )


def help_text(topic: str, forms: Mapping[str, str], language: str) -> str:
    """Return the text on *topic*."""
    if topic not in (*TOPICS, OVERVIEW):
        return "\n".join(
            f"{translate(language, form)}\n  {translate(language, as_sentence(does))}"
            for form, does in forms.items()
        )
    text = translate_page(read_text("templates", f"help/{topic}.txt"), language)
    if VERSION in text:
        text = text.replace(VERSION, version("pbem-judge"))
    return text.replace(FORMS, "\n".join(translate(language, each) for each in forms))


def help_in_short(topic: str, forms: Mapping[str, str], language: str, question: str) -> str:
    """Return of the text on *topic* what answers *question*: its first paragraph of sentences.

    Of the terms these are the lines of those in the question, or that with most of its words.
    """
    text = help_text(topic, forms, language)
    if topic == TERMS:
        asked = _stems(question)
        lines = [line for line in text.splitlines() if line.partition(": ")[2]]
        named = [line for line in lines if asked & _stems(line.partition(":")[0])]
        best = max(lines, key=lambda line: len(asked & _stems(line)))
        nearest = [best] if len(asked & _stems(best)) > 1 else []
        return "\n".join(named or nearest) or text
    paragraphs = PARAGRAPH.split(text)
    said = next((n for n, each in enumerate(paragraphs, 1) if each.rstrip().endswith(".")), None)
    return "\n\n".join(paragraphs[:said])


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in WORD.findall(text.casefold())}


def as_sentence(does: str) -> str:
    """Return what a command *does* as a sentence of HELP."""
    return f"{does[0].upper()}{does[1:]}."
