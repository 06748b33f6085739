"""What no text keeps, in or out: characters that nobody sees, and that change how it reads."""

from __future__ import annotations

import re

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
