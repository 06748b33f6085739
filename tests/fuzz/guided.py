"""Mails that are bred: whichever reaches a line of `judge.mail` not seen before has offspring.

`python -m tests.fuzz.guided SECONDS` needs what tests/fuzz/requirements.txt pins, and ends with
what libFuzzer counted. Its exit code is 0 if no exception came out of `judge.mail`, and no mail
took two seconds of CPU or 200 MB more; one that did is left in the folder `found` beside this
file, with all that were bred.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["judge.mail"]):
    from judge.mail.envelope import Letter, open_mail
    from tests.fuzz.looking import read_on

from judge.adapters.reading import CPU_SECONDS_MAX, MEMORY_MAX
from tests.fuzz.strategies import HOSTILE, LETTERS

FOUND = Path(__file__).parent / "found"
BYTES_MAX = 20_000  # Longer mails have no more kinds of lines.
WALL_SECONDS_MAX = 60  # of one mail, on a busy machine
WORD_BYTES_MAX = 64  # of what is put into mails as a whole: libFuzzer takes no longer ones


def main(seconds: int) -> None:
    """Breed mails for so many *seconds*, from all forms of letters of ours; does not return."""
    corpus, words = FOUND / "corpus", FOUND / "words"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, letter in enumerate(LETTERS):
        (corpus / f"letter-{number}").write_bytes(letter)
    short = (word for word in HOSTILE if len(word) < WORD_BYTES_MAX)
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in short), encoding="ascii")
    already = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    options = (
        f"-max_total_time={seconds}",
        f"-max_len={BYTES_MAX}",
        f"-timeout={WALL_SECONDS_MAX}",
        f"-rss_limit_mb={(already + MEMORY_MAX) >> 20}",
        f"-dict={words}",
        f"-artifact_prefix={FOUND}/",
        "-print_final_stats=1",
    )
    atheris.Setup([sys.argv[0], *options, str(corpus)], look)
    atheris.Fuzz()


def look(mail: bytes) -> None:
    """Read *mail* as the judge does, and fail if that takes too long."""
    began = time.process_time()
    opened = open_mail(mail, "somebody@players.example")
    if isinstance(opened, Letter):
        read_on(opened)
    took = time.process_time() - began
    assert took < CPU_SECONDS_MAX, f"{took:.1f} s"


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    main(int(sys.argv[1]))
