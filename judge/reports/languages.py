"""Languages of emails, pages and reports: catalogues, names, dates and lists.

English is in the templates. A catalogue beside them (`templates/locale/de/LC_MESSAGES`) translates
them: a new catalogue adds a language, without code.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, lru_cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Literal, Self, TypeVar

from babel import Locale
from babel.core import get_global
from babel.dates import format_datetime, format_skeleton, get_day_names
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from babel.support import Translations
from babel.units import format_unit

from judge.resources import cache_until_replaced, file_of, folder

SOURCE = "en"  # what templates are written in
CATALOGUE = "locale/{}/LC_MESSAGES/judge.po"
FORMS = {SOURCE: "en_GB"}  # whose lists and days a language takes, if not its own
DAYS = {SOURCE: ("EEE dd MMM y", "EEE dd MMM")}  # as judges write them; others as CLDR does
PLACEHOLDER = re.compile(r"\{(?P<name>\w+)(?::(?P<form>\w+))?\}")
SPACES = re.compile(r"\s")  # some languages put others between a number and its unit
DAYS_MIN = 2  # of a length of time; a day is 24 hours
DURATIONS_CACHED_MAX = 256
PARAGRAPH, SET_IN = "\n\n", "\n  "  # what stands between two, and within an entry
ENTRY = re.compile(r"\n(?=\S)")
SKELETONS = ("yMMMEd", "MMMEd")  # a day with its year, and without

T = TypeVar("T", bound=str)


class InflectedName(str):
    """A name, and its *forms* in sentences: `Nordsee`, but `{place:in}` is `in der Nordsee`."""

    __slots__ = ("forms",)

    forms: Mapping[str, str]

    def __new__(cls, name: str, forms: Mapping[str, str] | None = None) -> Self:
        """Create a name with the *forms* that differ from the plain name."""
        named = super().__new__(cls, name)
        named.forms = forms or {}
        return named

    def form(self, name: str) -> str:
        """Return the form of that *name*, or the name itself."""
        return self.forms.get(name, self)


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages, English first."""
    found = folder("templates").glob(CATALOGUE.format("*"))
    return (SOURCE, *sorted(file.parents[1].name for file in found))


def language_named(word: str) -> str | None:
    """Return the code of the language called *word* in any language."""
    return _languages_by_name().get(_without_accents(word))


def language_title(language: str) -> str:
    """Return the name of *language* in that language: `Deutsch`."""
    return (Locale(language).display_name or language).capitalize()


def language_name(code: str, language: str) -> str:
    """Return what *language* calls the language with that *code*: `allemand` for `de`."""
    return str(Locale(language).languages.get(code, code))


def cities_of_zones() -> Iterator[tuple[str, str]]:
    """Yield the city of each time zone, as each language calls it, and the zone: `Wien`."""
    for language in languages():
        for zone, names in Locale(language).time_zones.items():
            if city := names.get("city"):
                yield city, zone


def countries_of_zones() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each country, as each language calls it, and its time zones: `Neuseeland`."""
    zones = get_global("territory_zones")
    for language in languages():
        for code, name in Locale(language).territories.items():
            if code in zones:
                yield name, tuple(zones[code])


@cache_until_replaced
def translations(language: str) -> NullTranslations:
    """Return the catalogue of *language*; that of English is empty."""
    if language == SOURCE:
        return NullTranslations()
    name = CATALOGUE.format(language)
    ours, first = folder("templates") / name, file_of("templates", name)
    found = _catalogue(ours)
    if first != ours:
        theirs = _catalogue(first)
        theirs.add_fallback(found)
        return theirs
    return found


def catalogue_fault(catalogue: Path) -> str | None:
    """Return the fault of an operator's *catalogue*, None if it has none."""
    try:
        with catalogue.open("rb") as opened:
            messages = list(read_po(opened, abort_invalid=True))
    except (PoFileError, ValueError) as error:
        return f"{catalogue}: {error}"
    for each in messages:
        named = {
            found["name"]
            for words in _message_forms(each.id)
            for found in PLACEHOLDER.finditer(words)
        }
        for found in (
            found for words in _message_forms(each.string) for found in PLACEHOLDER.finditer(words)
        ):
            if each.id and found["name"] not in named:
                return f"{catalogue}: {found[0]} is not a value of {_message_forms(each.id)[0]!r}"
    return None


def format_day(instant: datetime, language: str, *, year: bool = True) -> str:
    """Return the day of *instant*, in its own zone."""
    which = 0 if year else 1
    if language in DAYS:
        written: str = format_datetime(instant, DAYS[language][which], locale=language)
    else:
        written = format_skeleton(SKELETONS[which], instant, locale=language)
    return written


def weekday_name(iso: int, language: str = SOURCE) -> str:
    """Return the name of the weekday *iso* (ISO 8601: 1 is Monday)."""
    name: str = get_day_names("wide", locale=language)[iso - 1]
    return name


@lru_cache(maxsize=DURATIONS_CACHED_MAX)
def format_duration(length: timedelta, language: str) -> str:
    """Return *length*: `1 hour and 30 minutes`, and from two days on in days if they are whole."""
    hours, minutes = divmod(length // timedelta(minutes=1), 60)
    days, beside = divmod(hours, 24)
    if days >= DAYS_MIN and not (beside or minutes):
        counted = [("duration-day", days)]
    else:
        counted = [("duration-hour", hours)] if hours or not minutes else []
        counted += [("duration-minute", minutes)] if minutes else []
    locale = FORMS.get(language, language)
    parts = (format_unit(number, unit, locale=locale) for unit, number in counted)
    return format_list([SPACES.sub(" ", each) for each in parts], "standard", locale)


def join_as_sentence(
    values: Iterable[str], language: str, style: Literal["standard", "or"]
) -> InflectedName:
    """Join *values* as in a sentence, `a, b and c`, in each form that any of them has."""
    locale = FORMS.get(language, language)
    return _in_each_form(values, lambda each: format_list(each, style, locale))


def join_with_commas(values: Iterable[str]) -> InflectedName:
    """Join *values* with commas alone, in each form that any of them has."""
    return _in_each_form(values, ", ".join)


def translate(language: str, message: str, **values: object) -> str:
    """Return *message* in *language*, filled with *values* as in `template_functions`."""
    return _filled(translations(language).gettext(message), values, str)


def template_functions(
    language: str, quoted: Callable[[object], T]
) -> dict[str, Callable[..., T]]:
    """Return the functions with which templates translate: `_("{n} orders", n=3)`.

    Braces hold the name of a value, and its form behind a colon; all values are *quoted*.
    """
    catalogue = translations(language)

    @cache
    def without_values(message: str) -> T:
        return _filled(catalogue.gettext(message), {}, quoted)

    def gettext(message: str, **values: object) -> T:
        if not values:
            return without_values(message)
        return _filled(catalogue.gettext(message), values, quoted)

    def pgettext(context: str, message: str, **values: object) -> T:
        return _filled(catalogue.pgettext(context, message), values, quoted)

    def ngettext(one: str, many: str, n: int, **values: object) -> T:
        return _filled(catalogue.ngettext(one, many, n), {"n": n, **values}, quoted)

    return {"_": gettext, "pgettext": pgettext, "ngettext": ngettext}


def _filled(words: str, values: Mapping[str, object], quoted: Callable[[object], T]) -> T:
    """Fill *values* into *words*, in the forms these ask for."""
    parts: list[str] = []
    end = 0
    for found in PLACEHOLDER.finditer(words) if values else ():
        value = values.get(found["name"], found[0])
        named = value.form(found["form"]) if isinstance(value, InflectedName) else value
        parts += [quoted(words[end : found.start()]), quoted(named)]
        end = found.end()
    kind: Callable[[str], T] = type(quoted(""))
    return kind("".join([*parts, quoted(words[end:])]))


def translate_page(page: str, language: str) -> str:
    """Return *page* in *language*, message by message (`paragraphs`)."""
    translate = translations(language).gettext
    return PARAGRAPH.join("\n".join(map(translate, each)) for each in paragraphs(page))


def paragraphs(page: str) -> list[list[str]]:
    """Return the messages of each paragraph of *page*: the whole paragraph, or its entries.

    An entry is a line with indented lines below.
    """
    cut = page.strip().split(PARAGRAPH)
    return [ENTRY.split(each) if SET_IN in each else [each] for each in cut]


def _in_each_form(values: Iterable[str], join: Callable[[list[str]], str]) -> InflectedName:
    names = [each if isinstance(each, InflectedName) else InflectedName(each) for each in values]
    forms = {form for each in names for form in each.forms}
    joined = {form: join([each.form(form) for each in names]) for form in ("", *forms)}
    return InflectedName(joined[""], joined)


def _message_forms(words: str | Sequence[object] | None) -> tuple[str, ...]:
    """Return the translations of a message: one, or one for each plural form."""
    return (words,) if isinstance(words, str) else tuple(map(str, words or ()))


def _catalogue(file: Path) -> NullTranslations:
    with file.open("rb") as opened:
        catalogue = read_po(opened)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


@cache
def _languages_by_name() -> dict[str, str]:
    """Return the codes of languages by code, and by their names in every language."""
    found = {code: code for code in languages()}
    for code in languages():
        for speaker in languages():
            name = Locale(code).get_display_name(speaker)
            found[_without_accents(name or code)] = code
    return found


def _without_accents(word: str) -> str:
    """Return *word* without accents and capitals."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each)).strip()
