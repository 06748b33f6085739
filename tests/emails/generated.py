"""Generate emails in the forms of many mail programs, in the languages of their users.

`clients.toml` has the forms, `languages.toml` the words, and this puts them together: new orders,
in answer to an email with other orders. `python -m tests.emails FOLDER` writes each to a file.
"""

from __future__ import annotations

import tomllib
from base64 import encodebytes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import count
from pathlib import Path
from quopri import encodestring
from typing import Any

HERE = Path(__file__).parent
CLIENTS: Mapping[str, Mapping[str, Any]] = tomllib.loads((HERE / "clients.toml").read_text())
LANGUAGES: Mapping[str, Mapping[str, Any]] = tomllib.loads((HERE / "languages.toml").read_text())

PLAIN = ("top", "bottom", "inline", "forward")
HTML = ("html", "html_inline")
MULTIPART = "multipart"  # `top` and `html` as alternatives

NAME, ADDRESS = "TEST judge", "judge+abcdefghijklmnop@judge.test"
NEW = ("A PAR - BUR", "F BRE - MAO")  # what must be read,
DASHES = ("-", "–", "—", "->", "–>")  # noqa: RUF001 - as phones correct hyphens
HEAD = (":: Judge: TEST  Game: garnet", ":: Deadline: S1901M Fri Nov 06 2026 20:00:00 +0100")
OLD = (
    "Movement results for Spring of 1901.",
    "France: Army Marseilles -> Spain.",
    "A MAR - PIE",
    "A Par H",
    "F Bre - ENG",
    "SET DRAW",
)  # what must not,
FROM_SOMEBODY, FROM_US = OLD, (*HEAD, *OLD)
CHARSETS = {  # the actual and the declared charset: Western ones are often mistaken
    ("windows", "pl"): ("windows-1250", "windows-1250"),
    ("windows", "ru"): ("windows-1251", "windows-1251"),
    ("windows", None): ("windows-1252", "iso-8859-1"),
    ("latin", "pl"): ("iso-8859-2", "iso-8859-2"),
    ("latin", "ru"): ("koi8-r", "koi8-r"),
    ("latin", None): ("iso-8859-15", "iso-8859-15"),
    ("utf-8", None): ("utf-8", "utf-8"),
}
TRANSFERS: Mapping[str, Callable[[bytes], bytes]] = {
    "8bit": bytes,
    "quoted-printable": encodestring,
    "base64": encodebytes,
}


@dataclass(frozen=True)
class GeneratedEmail:
    """An email: its mail program, form and language, what it replies to, its new lines."""

    client: str
    form: str
    language: str
    answers: str
    new: tuple[str, ...]
    raw: bytes

    @property
    def name(self) -> str:
        return f"{self.client}.{self.form}.{self.language}.{self.answers}"


def generate_emails(client: str, form: str) -> Iterator[GeneratedEmail]:
    """Generate a program's emails in one form: in each language, replying to us and to others."""
    dashes = count()
    for language in CLIENTS[client].get("languages", LANGUAGES):
        for answers, old in (("us", FROM_US), ("somebody", FROM_SOMEBODY)):
            dash = DASHES[next(dashes) % len(DASHES)]
            in_latin = CLIENTS[client]["encoding"].startswith("latin")
            new = _new(language, "-" if in_latin else dash)
            raw = _raw(client, form, language, new, old)
            yield GeneratedEmail(client, form, language, answers, new, raw)


def forms() -> Iterator[tuple[str, str]]:
    """Yield each program and form."""
    for client, has in CLIENTS.items():
        yield from ((client, form) for form in (*PLAIN, *HTML) if form in has)
        if "top" in has and "html" in has:
            yield client, MULTIPART


def _new(language: str, dash: str) -> tuple[str, ...]:
    """Return the orders between the usual sentences around them."""
    words = LANGUAGES[language]
    bur, mao = (order.replace(" - ", f" {dash} ").title() for order in NEW)
    return (words["before"], "", bur.replace("F ", "F\N{NO-BREAK SPACE}"), mao, "", words["after"])


def _raw(
    client: str, form: str, language: str, new: tuple[str, ...], old: tuple[str, ...]
) -> bytes:
    if form == MULTIPART:
        plain = _part(client, "top", language, new, old)
        html = _part(client, "html", language, new, old)
        body = b"".join(b"--=_1\n%s\n" % part for part in (plain, html)) + b"--=_1--\n"
        return _head() + b'Content-Type: multipart/alternative; boundary="=_1"\n\n' + body
    return _head() + _part(client, form, language, new, old)


def _head() -> bytes:
    return (
        f"From: Frank <france@player.test>\nTo: {NAME} <{ADDRESS}>\nSubject: Re: garnet\n"
        "Message-ID: <1@player.test>\nDate: Tue, 03 Nov 2026 10:00:00 +0100\nMIME-Version: 1.0\n"
    ).encode()


def _part(
    client: str, form: str, language: str, new: tuple[str, ...], old: tuple[str, ...]
) -> bytes:
    named, transfer, *flowed = CLIENTS[client]["encoding"].split()
    charset, declared = CHARSETS.get((named, language)) or CHARSETS[named, None]
    kind = "html" if form in HTML else "plain"
    format_ = "; format=flowed" if flowed and kind == "plain" else ""
    text = _text(client, form, language, new, old).encode(charset, "replace")
    return (
        f"Content-Type: text/{kind}; charset={declared}{format_}\n"
        f"Content-Transfer-Encoding: {transfer}\n\n"
    ).encode() + TRANSFERS[transfer](text)


def _text(
    client: str, form: str, language: str, new: tuple[str, ...], old: tuple[str, ...]
) -> str:
    has, words = CLIENTS[client], LANGUAGES[language]
    mark, half = has.get("mark", "> "), len(old) // 2
    plain = form not in HTML
    parts = {
        "new": new,
        "first": new[:3],
        "second": new[3:],
        "old": old,
        "quoted": [mark + line for line in old],
        "upper": [mark + line for line in old[:half]] if plain else old[:half],
        "lower": [mark + line for line in old[half:]] if plain else old[half:],
        "fields": _fields(words, "from", "sent", "to", "subject"),
        "sent_fields": _fields(words, "sent", "from", "to", "subject"),
        "name": [NAME],
        "address": [ADDRESS],
    }
    said = {
        name: [word.format(name=NAME, address=ADDRESS)]
        for name, word in words.items()
        if isinstance(word, str)
    }
    shown = {name: _lines(lines, html=not plain) for name, lines in (said | parts).items()}
    return str(has[form]).format(**shown)


def _fields(words: Mapping[str, Any], *names: str) -> list[str]:
    values = {
        "from": f"{NAME} <{ADDRESS}>",
        "sent": words["day"],
        "to": "Frank",
        "subject": "TEST:garnet - S1901M Results",
    }
    return [f"{words['fields'][name]}{values[name]}" for name in names]


def _lines(lines: tuple[str, ...] | list[str], *, html: bool) -> str:
    return "<br>\n".join(map(escape, lines)) if html else "\n".join(lines)
