"""Make the emails that mail programs make of one of ours: replies and forwards, in both forms.

`programs/frames.toml` has what each program puts around our email, `headings.toml` the words of
languages.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml.html import fragment_fromstring

if TYPE_CHECKING:
    from lxml.html import HtmlElement

HERE = Path(__file__).parent / "programs"
FRAMES: Mapping[str, Mapping[str, Any]] = tomllib.loads((HERE / "frames.toml").read_text())
LANGUAGES: Mapping[str, str] = tomllib.loads((HERE / "headings.toml").read_text())
TEXT: Mapping[str, Any] = {
    "cell": " ",
    "bullet": "",
    "link": "",
    "alt": "",
    "bold": "",
    "wrap": 0,
    "tear": False,
}
BLOCKS = ("p", "h1", "h2", "h3", "ul", "ol", "table", "blockquote")
LINES = ("div", "tr", "li", "pre", "hr")
ENDS = re.compile(r"</(?:p|h1|h2|ul|table|div)>")  # where an editor can put a line of its own
PLACES: Sequence[str | float] = ("above", "below", "under the heading", 0.12, 0.35, 0.6, 0.85)


@dataclass(frozen=True, slots=True)
class Ours:
    """An email of ours, as a program that answers it has it."""

    name: str
    address: str
    subject: str
    plain: str
    body: str

    @classmethod
    @cache
    def of(cls, raw: bytes) -> Ours:
        """Return the email *raw*."""
        mail = message_from_bytes(raw, policy=default)
        forms = [mail.get_body((kind,)) for kind in ("plain", "html")]
        plain, source = (
            form.get_content().replace("\r\n", "\n") for form in forms if form is not None
        )
        body = re.sub(r"</?(?:body|html)[^>]*>|<!--.*?-->", "", source[source.index("<body") :])
        sender: Address = mail["From"].addresses[0]
        return cls(
            sender.display_name,
            sender.addr_spec,
            str(mail["Subject"]),
            plain.strip(),
            body.strip(),
        )

    def corrected(self, old: str, new: str) -> Ours:
        """Return this email as its reader has edited it."""
        edited = (text.replace(old, new) for text in (self.plain, self.body))
        return Ours(self.name, self.address, self.subject, *edited)


def answers(
    ours: Ours, program: str, language: str, typed: Sequence[str], place: str | float
) -> Iterator[bytes]:
    """Yield the emails with *typed* lines that *program* makes of *ours*, in each of its forms."""
    frame = FRAMES[program]
    labels = ("from", "sent", "to", "about", "above")
    words = dict(zip(labels, LANGUAGES[language].split("|"), strict=True))
    words |= {"name": ours.name, "address": ours.address, "subject": ours.subject}
    words["above"] = words["above"].replace("JUDGE judge", ours.name)
    plain = _plain(ours, frame, words, typed, place) if "plain" in frame else None
    if plain is not None:
        yield _email(plain)
    if "html" in frame:
        html = _html(ours, frame, words, typed, place)
        yield _email(html, html=True)
        if plain is not None:
            yield _email(plain, html, html=True)


def _plain(
    ours: Ours,
    frame: Mapping[str, Any],
    words: Mapping[str, str],
    typed: Sequence[str],
    place: str | float,
) -> str:
    text = as_text(ours.body, **frame["text"]) if "text" in frame else ours.plain
    lines = [frame["mark"] + line for line in text.split("\n")]
    new = ["", *typed, ""]
    at = {"above": 0, "below": len(lines), "under the heading": 0}.get(str(place))
    if at is None:
        at = max(1, min(len(lines) - 1, int(float(place) * len(lines))))
    heading = _filled(frame["plain"], words)
    if place == "above":
        return "\n".join((*typed, "", heading + "\n".join(lines)))
    return heading + "\n".join((*lines[:at], *new, *lines[at:]))


def _html(
    ours: Ours,
    frame: Mapping[str, Any],
    words: Mapping[str, str],
    typed: Sequence[str],
    place: str | float,
) -> str:
    new = "".join(frame["line"].replace("{line}", escape(line) or "<br>") for line in typed)
    body, above, below = ours.body, "", ""
    if place == "above":
        above = new
    elif place == "below":
        below = new
    elif place == "under the heading":
        body = new + body
    else:
        ends = [found.end() for found in ENDS.finditer(body)]
        at = ends[min(len(ends) - 1, int(float(place) * len(ends)))]
        start, opened, _ = frame["html"].partition("{body}")[0].rpartition("<blockquote")
        again = frame["html"][len(start) :].partition(">")[0] + ">" if opened else ""
        torn = ("</blockquote>", again) if frame.get("torn") else ("", "")
        body = new.join((body[:at] + torn[0], torn[1] + body[at:]))
    escaped = {key: escape(value, quote=False) for key, value in words.items()}
    filled = _filled(frame["html"], escaped)
    return filled.replace("{new}", above).replace("{below}", below).replace("{body}", body)


def _filled(text: str, words: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), text)


def _email(*texts: str, html: bool = False) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"] = "Frank <frank@player.test>", "judge+abc@judge.test"
    mail["Subject"] = "Re: JUDGE:baltic"
    first, *others = texts
    mail.set_content(first, subtype="html" if html and not others else "plain")
    for other in others:
        mail.add_alternative(other, subtype="html")
    return mail.as_bytes()


@cache
def as_text(source: str, **options: Any) -> str:  # noqa: ANN401 - of several types
    """Return HTML as a mail program converts it to text, with *options* such as in `TEXT`."""
    chosen = {**TEXT, **options}
    text = "".join(_words(fragment_fromstring(source, create_parent="div"), chosen))
    text = re.sub(r"(?:\s*\0[PL])*\s*\0P(?:\s*\0[PL])*\s*", "\1\1", text)
    text = re.sub(r" *(?:\0L\s*)+", "\1", text).replace("\1", "\n").replace("\xa0", " ")
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    if chosen["wrap"]:
        wrapper = textwrap.TextWrapper(
            chosen["wrap"], break_long_words=chosen["tear"], break_on_hyphens=False
        )
        lines = [part for line in lines for part in wrapper.wrap(line) or [""]]
    return "\n".join(lines)


def _words(
    element: HtmlElement, options: Mapping[str, Any], *, as_written: bool = False
) -> Iterator[str]:
    tag = element.tag
    as_written = as_written or "pre-wrap" in element.get("style", "")
    bold = options["bold"] if tag in ("b", "h1", "h2", "h3") else ""
    around = "\0P" if tag in BLOCKS else "\0L" if tag in LINES else ""

    def text(written: str | None) -> str:
        return (written or "") if as_written else re.sub(r"[ \t\n]+", " ", written or "")

    if tag == "br":
        yield "\n"
    if tag == "img":
        yield options["alt"].format(element.get("alt"))
    yield around + (options["bullet"] if tag == "li" else "") + bold + text(element.text)
    for child in element:
        yield from _words(child, options, as_written=as_written)
        yield text(child.tail)
    yield bold
    if tag == "a":
        yield options["link"].format(element.get("href"))
    if tag in ("td", "th") and element.getnext() is not None:
        yield options["cell"]
    yield around
