"""Render emails and pages: the template named like a context's class makes text and HTML.

A template may use the fields of its context, and the filters below. Text by a player is a value
among them; it is printed, never read as a template.

Mail clients drop style sheets, so one is left only for what depends on the screen: dark or narrow.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from css_inline import CSSInliner
from jinja2 import (
    Environment,
    FunctionLoader,
    StrictUndefined,
    nodes,
    pass_context,
    pass_environment,
)
from jinja2.runtime import Context as Scope
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from judge.errors import printable
from judge.game import calendar
from judge.game.decision import Why
from judge.reports import board_names, languages, text_formatting
from judge.reports.emails.contexts import Context, Heading, SuggestedReply
from judge.reports.emails.explanations import WhatIf
from judge.reports.emails.help_pages import help_in_short, help_text
from judge.reports.emails.order_status import OrderRejected, OrderTaken
from judge.reports.emails.phase_results import PhaseResults, SharedResults
from judge.reports.emails.receipts import Item, LineNotUnderstood
from judge.reports.text_formatting import text_blocks
from judge.resources import cache_until_replaced, file_of, folder, override_folder
from judge.rules.board import Map
from judge.rules.citations import rule_against
from judge.rules.outcomes import Outcome, result_marks, word_of
from judge.rules.reasons import Reason, Removal
from judge.rules.types import Order, Phase, Power, Province

TEXT, HTML = ".txt.j2", ".html.j2"  # how the names of templates end
FRAME_TEMPLATES = (
    "mail/base.txt.j2",
    "mail/words/taps.txt.j2",
)  # around texts; they have markup of ours
RESULT_TEMPLATES = tuple(  # of which one mail is made, all of them in markup or none
    f"mail/{name}{TEXT}"
    for name in (
        *("phase_results", "what_if"),
        *("results/shared", "results/movement", "results/retreats", "results/adjustments"),
    )
)
TRANSLATING = ("_", "pgettext")  # the functions of templates
NO_PICTURES: Mapping[str, str] = MappingProxyType({})
T = TypeVar("T")
TemplateOrigin: TypeAlias = tuple[str, str, None]  # its text and file; it never gets old


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text and HTML of one email, or of a page of it."""

    subject: str
    text: str
    marked_up: Callable[[], str]

    @property
    def html(self) -> str:
        """Return the text as HTML, made on access, since half of all readers want none."""
        return self.marked_up()


def render(
    context: Context,
    pictures: Mapping[str, str] = NO_PICTURES,
    taps: Sequence[SuggestedReply] | None = None,
) -> Rendered:
    """Render *context*: the first line of its template is the subject.

    The HTML shows *pictures*: Content-IDs, by their subjects.
    *taps* stand below it, by default its own.
    """
    name = f"mail/{kind_name(context)}{TEXT}"
    values = template_values(context, pictures) | {
        "taps": context.replies() if taps is None else taps
    }
    language = context.heading.language
    subject, _, body = fill_template(template_environment(language), name, values).partition("\n")

    def marked_up() -> str:
        page = fill_template(template_environment(language, markup=True), name, values)
        return page.strip("\n") + "\n"

    return Rendered(subject, body.strip("\n") + "\n", marked_up)


def template_values(
    context: Context | SharedResults, pictures: Mapping[str, str]
) -> dict[str, object]:
    """Return the values for the template of *context*: its fields, and those of shared results."""
    shared = context.shared if isinstance(context, PhaseResults | WhatIf) else context
    return {
        each.name: getattr(of, each.name) for of in (shared, context) for each in fields(of)
    } | {
        "pictures": pictures,
        "picture": next(iter(pictures.values()), None),
    }


SHARED_RESULTS = f"mail/results/shared{TEXT}"
PICTURE_SLOT = "\ue000{}\ue000"  # private characters, which nobody writes
RENDERINGS_KEPT = 32  # of the games that closed last, each in some languages and two forms


@pass_environment
def _rendered_once(
    environment: Environment, shared: SharedResults, pictures: Mapping[str, str] = NO_PICTURES
) -> str:
    """Return the parts that all readers of *shared* results get; the HTML shows *pictures*.

    Each reader's own picture is put into a place that the rendering leaves for it.
    """
    text = _rendered_results(environment, shared, tuple(pictures))
    for subject, content_id in pictures.items():
        text = text.replace(PICTURE_SLOT.format(subject), content_id)
    return text


@lru_cache(maxsize=RENDERINGS_KEPT)
def _rendered_results(
    environment: Environment, shared: SharedResults, pictures: tuple[str, ...]
) -> str:
    slots = {subject: PICTURE_SLOT.format(subject) for subject in pictures}
    values = template_values(shared, slots)
    text = fill_template(environment, SHARED_RESULTS, values).strip("\n")
    return Markup(text) if environment.autoescape else text  # noqa: S704 - it escapes what it prints


def render_page(
    template: str, values: Mapping[str, object], language: str = languages.SOURCE
) -> str:
    """Render the HTML *template* with *values*, escaped."""
    return fill_template(template_environment(language, markup=True), template, values)


_values: ContextVar[Mapping[str, Any]] = ContextVar("_values", default=MappingProxyType({}))


@contextmanager
def _showing(values: Mapping[str, object]) -> Iterator[None]:
    before = _values.set(values)
    try:
        yield
    finally:
        _values.reset(before)


def fill_template(environment: Environment, name: str, values: Mapping[str, object]) -> str:
    """Return the template *name* with *values*."""
    with _showing(values):
        return environment.get_template(name).render(values)


class _CurrentHeading:
    """The heading of the email being rendered, for templates that are imported without context.

    Jinja builds such a template once, but one imported `with context` for each email.
    """

    def __getattr__(self, name: str) -> object:
        return getattr(_values.get().get("heading") or NO_HEADING, name)


NO_HEADING = Heading("")


class _IsBlind:
    """True if units of the game are hidden from the reader of the email being rendered."""

    def __bool__(self) -> bool:
        return bool(_values.get().get("blind"))


def sentences(
    name: str, language: str = languages.SOURCE, of: str = "mail/words"
) -> Mapping[str, str]:
    """Return the sentences of the file *name* of a folder of templates, keyed by reason."""
    module = template_environment(language).get_template(f"{of}/{name}.txt.j2").module
    found: Mapping[str, str] = getattr(module, name)
    return found


def explain_reason(
    board: Map,
    reason: Reason,
    units: Mapping[Province, Outcome],
    meant: Order | None = None,
    language: str = languages.SOURCE,
) -> str:
    """Return the sentence of *reason* in *language*; *units* are outcomes by province.

    With *meant*, the sentence adds that the order was read as that.
    """
    return _sentence_about(board, language, "say", reason, units, meant)


def explain_removal(board: Map, removal: Removal, language: str = languages.SOURCE) -> str:
    """Return the sentence of *removal* in *language*."""
    return _sentence_about(board, language, "removed", removal)


def content_security_hash(content: str) -> str:
    """Return the hash that allows *content* in a page by its content security policy."""
    hashed = base64.b64encode(hashlib.sha256(content.encode()).digest())
    return f"'sha256-{hashed.decode('ascii')}'"


def _sentence_about(board: Map, language: str, macro: str, *values: object) -> str:
    """Return the result of a *macro* of the reasons for *values*, on one line."""
    module = template_environment(language).get_template("mail/words/reasons.txt.j2").module
    with _showing({"heading": Heading("", board=board, language=language)}):
        sentence: str = getattr(module, macro)(*values)
    return sentence.replace(text_formatting.NO_BREAK, " ")


def kind_name(value: object) -> str:
    """Return the name of the class of *value* in templates: `stood_off`."""
    return word_of(type(value))


_shipped_only: ContextVar[bool] = ContextVar("_shipped_only", default=False)


@contextmanager
def with_shipped_templates() -> Iterator[None]:
    """Use the templates that come with the judge, and none of the operator's."""
    before = _shipped_only.set(True)
    try:
        yield
    finally:
        _shipped_only.reset(before)


def template_environment(language: str = languages.SOURCE, *, markup: bool = False) -> Environment:
    """Return the Jinja environment for plain text, or for HTML, which escapes all values.

    Templates translate by `_`, `pgettext` and `ngettext` into *language*. HTML uses the templates
    of plain text, except where one has an HTML form beside it (`.html.j2`): so sentences are
    written once, and always escaped. An operator's text template replaces our HTML form too.
    """
    return made_environment(language, markup=markup, shipped=_shipped_only.get())


@cache_until_replaced
def made_environment(language: str, *, markup: bool, shipped: bool) -> Environment:
    """Return such an environment, of *shipped* templates only or of the operator's, too."""
    source = _source_of_markup if markup else _source
    made = _TemplateEnvironment(
        loader=FunctionLoader(partial(source, shipped=shipped)),
        undefined=StrictUndefined,
        autoescape=markup,  # nothing is markup in plain text
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals |= {
        **languages.template_functions(language, _escaped if markup else str),
        "language": language,
        "counts_after_fall": _counts_after_fall,
        "heading": _CurrentHeading(),
        "blind": _IsBlind(),
    }
    made.filters |= {
        "kind": kind_name,
        "rendered_once": _rendered_once,
        "explained_once": _explained_once,
        "digest": content_security_hash,
        "rule_against": rule_against,
        "result_marks": result_marks,
        "wrap": text_formatting.wrap,
        "duration": partial(languages.format_duration, language=language),
        "named_end": calendar.named_end,
        "language_name": partial(languages.language_name, language=language),
        "weekday": partial(languages.weekday_name, language=language),
        "one_line": text_formatting.one_line,
        "blocks": text_blocks,
        "unbroken": text_formatting.with_no_break_spaces,
        "visible": printable,
        "comma": languages.join_with_commas,
        "both": partial(languages.join_as_sentence, language=language, style="standard"),
        "either": partial(languages.join_as_sentence, language=language, style="or"),
        "help": partial(help_text, language=language),
        "help_in_short": partial(help_in_short, language=language),
        "when": _in_zone(partial(text_formatting.format_instant, language=language)),
        "stamp": _in_zone(text_formatting.format_timestamp),
        "short_date": _in_zone(partial(text_formatting.format_short, language=language)),
        "place": _on_board(partial(board_names.place_name, language=language)),
        "brief_place": _on_board(board_names.short_place),
        "label": _labelled(language),
        "padded": _padded(language),
        "nation": _on_board(partial(board_names.power_name, language=language)),
        "as_command": _on_board(board_names.power_in_commands),
        "adjective": _on_board(partial(board_names.power_adjective, language=language)),
        "unit_name": _on_board(partial(board_names.unit_name, language=language)),
        "brief_unit": _on_board(board_names.short_unit),
        "long": _on_board(partial(board_names.long_order, language=language)),
        "brief": _on_board(board_names.short_order),
        "recorded": _on_board(board_names.recorded_order),
        "own_season": _season_namer(language),
        "year_name": partial(board_names.year_name, language=language),
    }
    made.tests["short_game"] = calendar.is_short
    return made


class _TemplateEnvironment(Environment):
    """Translates sentences without values when it compiles a template.

    An email has some 500 of them, and an imported template builds all its tables.
    """

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        defer_init: bool = False,  # noqa: FBT001, FBT002 - as jinja has it
    ) -> str:
        translated = _SentenceTranslator(self.globals).visit(source)
        return super()._generate(translated, name, filename, defer_init)


class _SentenceTranslator(NodeTransformer):
    """Replaces calls such as `_("no convoy")` by their result."""

    def __init__(self, functions: Mapping[str, Any]) -> None:
        self._functions = functions

    def visit_Call(self, call: nodes.Call) -> nodes.Expr:  # noqa: N802 - the name jinja looks for
        self.generic_visit(call)
        name = call.node.name if isinstance(call.node, nodes.Name) else ""
        is_fixed = all(isinstance(each, nodes.Const) for each in call.args)
        if name not in TRANSLATING or not is_fixed or call.kwargs:
            return call
        arguments = (each.as_const() for each in call.args)
        return nodes.Const(self._functions[name](*arguments), lineno=call.lineno)


def _escaped(value: object) -> Markup:
    """Escape *value*, and keep French punctuation on the line of its word."""
    return Markup(text_formatting.BEFORE_A_MARK.sub(text_formatting.NO_BREAK, escape(value)))  # noqa: S704 - escaped


def _explained_once(items: Iterable[Item], words_of: Callable[[Item], str]) -> Iterator[str]:
    """Yield the words of each item; orders with the same explanation share it."""
    explained_items: list[tuple[list[str], str]] = []
    explained: dict[str, list[str]] = {}
    for item in items:
        text = words_of(item)
        head, end, explanation = text.partition("\n")
        shared = isinstance(item, OrderTaken | OrderRejected | LineNotUnderstood)
        if not (shared and explanation.strip()):
            explained_items.append(([text], type(text)()))
        elif explanation in explained:
            explained[explanation].append(head + end)
        else:
            explained[explanation] = [head + end]
            explained_items.append((explained[explanation], explanation))
    for heads, explanation in explained_items:
        yield type(explanation)().join([*heads, explanation])


def _source(name: str, *, shipped: bool) -> TemplateOrigin:
    file = folder("templates") / name if shipped else file_of("templates", name)
    return file.read_text(encoding="utf-8"), str(file), None


def _source_of_markup(name: str, *, shipped: bool) -> TemplateOrigin:
    """Return the HTML form of the template *name*, or *name* if it has none."""
    in_text = not shipped and _is_operator_text_alone(name)
    try:
        return _source(name if in_text else name.replace(TEXT, HTML), shipped=shipped)
    except FileNotFoundError:
        return _source(name, shipped=shipped)


def _is_operator_text_alone(name: str) -> bool:
    """Return whether *name*, or a template of the same email, is an operator's text template.

    Then the email shows that text, and not our HTML.
    """
    front = override_folder("templates")
    if front is None or not name.endswith(TEXT) or name in FRAME_TEMPLATES:
        return False
    together = RESULT_TEMPLATES if name in RESULT_TEMPLATES else (name,)
    return any(
        (front / each).is_file() and not (front / each.replace(TEXT, HTML)).is_file()
        for each in together
    )


def _on_board(name: Callable[[Map, T], str]) -> Callable[..., str]:
    """Return *name* as a filter for the heading's board, unless the template names another."""

    @pass_context
    def filtered(scope: Scope, value: T, board: Map | None = None) -> str:
        heading: Heading = scope["heading"]
        known = board or heading.board
        assert known is not None, "an email that names places is about a game"
        return name(known, value)

    return filtered


def _season_namer(language: str) -> Callable[[Scope, Phase], str | None]:
    """Return a filter that gives the board's own name of a season."""

    @pass_context
    def filtered(scope: Scope, phase: Phase) -> str | None:
        heading: Heading | None = scope.get("heading")
        board = heading.board if heading else None
        return board_names.season_name(board, phase.season, language) if board else None

    return filtered


@pass_context
def _counts_after_fall(scope: Scope) -> bool:
    heading: Heading | None = scope.get("heading")
    return not (heading and heading.board) or board_names.counts_after_fall(heading.board)


def _labelled(language: str) -> Callable[[Scope, str, int], str]:
    """Return a filter that prints a power in a column of a given width, or of the names' width."""

    @pass_context
    def filtered(scope: Scope, power: str, columns: int) -> str:
        board = scope["heading"].board
        return f"{board_names.power_name(board, power, language)}:".ljust(
            _label_width(board, language, columns)
        )

    return filtered


def _padded(language: str) -> Callable[[Scope, str, int], str]:
    """Return a filter that prints other text in such a column."""

    @pass_context
    def filtered(scope: Scope, text: str, columns: int) -> str:
        return text.ljust(_label_width(scope["heading"].board, language, columns))

    return filtered


def _label_width(board: Map, language: str, columns: int) -> int:
    """Return the width of a column of power names, with a colon and a space."""
    named = (board_names.power_name(board, power, language) for power in board.powers)
    return max(columns, *(len(each) + len(": ") for each in named))


def _in_zone(write: Callable[[datetime, str], str]) -> Callable[[Scope, datetime], str]:
    """Return *write* as a filter for the heading's zone, unless the template names another."""

    @pass_context
    def filtered(scope: Scope, instant: datetime, zone: str | None = None) -> str:
        heading: Heading = scope["heading"]
        return write(instant, zone or heading.zone)

    return filtered


HTML_FRAME = "mail/frame.html.j2"


@dataclass(frozen=True, slots=True)
class NameColors:
    """The colors of a power's name, which is always written out."""

    background: str
    ink: str


HTML_BYTES_MAX = 90_000  # Gmail hides all beyond 102 kB


def html_document(
    pages: Sequence[Rendered], powers: Mapping[Power, NameColors], language: str = languages.SOURCE
) -> str | None:
    """Return *pages* as one document in *language*, titled by the subject of the first.

    The style is written into each tag, as some mail programs ignore style sheets, unless that
    makes the document too long. None if it is too long anyway.
    """
    values = {
        "subject": pages[0].subject,
        "pages": [each.html for each in pages],
        "powers": powers,
        "language": language,
    }
    document = render_page(HTML_FRAME, values)
    inlined: str = _style_inliner().inline(document)
    fitting = (each for each in (inlined, document) if len(each.encode()) <= HTML_BYTES_MAX)
    return next(fitting, None)


@cache
def _style_inliner() -> CSSInliner:
    return CSSInliner(keep_style_tags=False, load_remote_stylesheets=False)


def refusal_text(why: Why, language: str = languages.SOURCE) -> str:
    """Return the sentence for a refused command."""
    return sentences("refusals", language)[why.value]


def action_failure_text(name: str, language: str = languages.SOURCE) -> str:
    """Return the sentence for a refused request at the desk."""
    return sentences("desk_actions", language)[name]


def trouble_texts() -> Mapping[str, str]:
    """Return the sentences of the troubles of `judge.app.admin.health`."""
    return sentences("troubles")


def rulebook_texts() -> Mapping[str, str]:
    """Return the texts of presets, questions and answers.

    A question (`waived_builds`) is a case that rules leave open; an answer
    (`waived_builds=allowed`) completes its sentence.
    """
    return sentences("rulebooks")
