"""Plain text out of bytes: charsets, invisible characters, format=flowed (RFC 3676)."""

from __future__ import annotations

import codecs
import re

# Charsets of languages. Python also knows codecs that are programs (zlib, rot13), and some that
# are slow on input made for it (punycode, idna, unicode_escape).
CHARSET = re.compile(r"(ascii|utf|iso|cp|koi8|gb|big5|euc|shift|mac|tis|hz|johab)[a-z0-9_-]*")
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
WESTERN = ("ascii", "iso8859-1")  # What calls itself so is often Windows' (WHATWG Encoding, 4.2).


def decode(raw: bytes, declared: str | None) -> str:
    """Read *raw* as *declared*, else as UTF-8, else as Windows-1252, else byte by byte."""
    for mark, charset in BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(charset, "replace")
    for charset in (_known(declared), "utf-8", "cp1252"):
        try:
            return raw.decode(charset)
        except UnicodeError:
            continue
    return raw.decode("latin-1")


def _known(declared: str | None) -> str:
    """Return Python's name of a charset; UTF-8 if there is none, or it is known to be wrong."""
    try:
        name = codecs.lookup(declared or "").name
    except (LookupError, ValueError):
        return "utf-8"
    return name if CHARSET.fullmatch(name) and name not in WESTERN else "utf-8"


# C0 and C1 controls but tab and newline; soft hyphen, zero width space, word joiner and byte order
# marks; what turns the direction of writing (Unicode Bidirectional Algorithm, 2); interlinear
# marks; halves of surrogate pairs; tags. The joiners U+200C and U+200D stay: Persian needs them.
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
SPACES = re.compile("[\xa0\u2000-\u200a\u202f\u205f\u3000]")


def clean_text(text: str) -> str:
    """Return *text* with one kind of line end and one kind of space, without unseen characters."""
    return UNSEEN.sub("", SPACES.sub(" ", LINE_ENDS.sub("\n", text)))


def one_line(text: str, length_max: int) -> str:
    """Return *text* as a single clean line, cut at *length_max* characters."""
    return " ".join(clean_text(text).split())[:length_max].rstrip()


SIGNATURE = "-- "  # Ends in a space and is no broken line (RFC 3676, 4.3).


def unflow(text: str, *, delete_space: bool) -> str:
    """Join the broken lines of *text*; *delete_space* (DelSp) is for writing without spaces."""
    paragraphs: list[list[str]] = []
    continued, depth_before = False, 0
    for line in LINE_ENDS.sub("\n", text).split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        broken = content.endswith(" ") and content != SIGNATURE
        if not continued or depth != depth_before or content == SIGNATURE:
            paragraphs.append([">" * depth + " "] if depth else [])
        paragraphs[-1].append(content[:-1] if broken and delete_space else content)
        continued, depth_before = broken, depth
    return "\n".join("".join(parts) for parts in paragraphs)


def split_phrases(table: str) -> tuple[str, ...]:
    """Split a *table* of phrases: one a line, or several with `|` between them."""
    return tuple(
        phrase.strip() for line in table.strip().split("\n") for phrase in line.split("|")
    )
