"""The weights that this judge uses: built with it, or made anew with the operator's examples."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from judge.mail.intents.weights import FILE, Weights, read_digest
from judge.mail.intents.wish_files import digest_of
from judge.resources import cache_until_replaced, folder, override_folder

OURS = Path(__file__).with_name(FILE)


def examples_folder() -> Path:
    """Return the folder of the wishes that come with the judge."""
    return folder("templates") / "intents"


def own_folder() -> Path | None:
    """Return the folder of the operator's examples, among their templates, if they have any."""
    templates = override_folder("templates")
    return templates / "intents" if templates else None


@cache_until_replaced
def weights() -> Weights | None:
    """Return the weights; None in a checkout that was not installed, which has none.

    The operator's count as long as they are made from today's examples, ours and theirs.
    """
    own = own_folder()
    if own and read_digest(own / FILE) == digest_of(examples_folder(), own):
        with suppress(OSError, ValueError):
            return Weights.from_bytes((own / FILE).read_bytes())
    return Weights.from_bytes(OURS.read_bytes()) if OURS.is_file() else None
