"""Bytes become text, whatever they say they are."""

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
    """Return Python's name of a charset; UTF-8 if there is none, or it is better not believed."""
    try:
        name = codecs.lookup(declared or "").name
    except (LookupError, ValueError):
        return "utf-8"
    return name if CHARSET.fullmatch(name) and name not in WESTERN else "utf-8"
