"""Lines that a mailer broke for the eye become one again (RFC 3676, format=flowed)."""

from __future__ import annotations

from judge.mail.cleaning import LINE_ENDS

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
