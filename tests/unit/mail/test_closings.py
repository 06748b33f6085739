"""The names that close an email, and lines that only look like one."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.mail.redaction import CLOSING_LINE_MAX, without_signature_name, words_on

SPARED = words_on(load_map())


@pytest.mark.parametrize(
    ("text", "left", "name"),
    [
        ("Hi.\n\nBest,\nJean Dupont", "Hi.\n\nBest,\n[...]", "Jean Dupont"),
        ("Hi.\nBest\nJean", "Hi.\nBest\n[...]", "Jean"),
        ("Hi.\nbest,\njean", "Hi.\nbest,\n[...]", "jean"),
        ("Hi.\nCheers!\n\nJD", "Hi.\nCheers!\n\n[...]", "JD"),
        ("Yours truly,\nJ. R. R. Tolkien", "Yours truly,\n[...]", "J. R. R. Tolkien"),
        ("Kind regards,\nJean-Luc de la Tour", "Kind regards,\n[...]", "Jean-Luc de la Tour"),
        ("Viele Gr\xfc\xdfe\nJ\xf6rg", "Viele Gr\xfc\xdfe\n[...]", "J\xf6rg"),
        ("Cordialement,\nJean", "Cordialement,\n[...]", "Jean"),
        ("Hi.\n-- Jean", "Hi.\n-- [...]", "Jean"),
        ("Hi.\n- Jean D.", "Hi.\n- [...]", "Jean D."),
        ("Hi.\n/J", "Hi.\n/[...]", "J"),
        ("Yours, J.", "Yours, [...]", "J."),
        ("Thanks, Jean", "Thanks, [...]", "Jean"),
        ("Best,\nJean\n\nPS: hold!", "Best,\n[...]\n\nPS: hold!", "Jean"),
    ],
)
def test_a_name_that_closes_an_email_is_redacted(text: str, left: str, name: str) -> None:
    assert without_signature_name(text, SPARED) == (left, (name,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello Jean",
        "All the best",
        "Best,\nsupport me in Burgundy",
        "Thanks,\nbut no",
        "Thanks\n\nSee you in Munich",
        "Thanks for\nParis",
        "Love\nis blind",
        "Best,\nItaly",
        "Yours, Italy",
        "Best,\nWhy?",
        "My best army is in Paris",
        "Hold these:\n- Munich\n- Berlin",
        "Hold.\n- support me",
        "- Jean",
        "Hi.\n-- " + "J" * CLOSING_LINE_MAX,
    ],
)
def test_other_ends_stay(text: str) -> None:
    assert without_signature_name(text, SPARED) == (text, ())
