"""Coverage-guided fuzzing: emails that reach new lines of the judge are mutated further.

They begin as letters of every form and as emails of a player who is seated at a game, and are bred
with the words of both; each is read as such a player's.

`python -m tests.fuzz.guided SECONDS` needs what tests/fuzz/requirements.txt pins, and ends with
what libFuzzer counted. Its exit code is 0 if no exception came out of the judge, and no email
took two seconds of CPU or 200 MB more; one that did is left in the folder `found` beside this
file, with all that were bred.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["judge.mail", "judge.notation"]):
    from judge.mail.envelope import OpenedEmail, open_mail
    from tests.fuzz.parse_check import read_on
    from tests.fuzz.reply_check import unforgiving

from judge.adapters.mail_sandbox import CPU_SECONDS_MAX
from judge.adapters.sandbox import MEMORY_BYTES_MAX
from tests.fuzz.malformed_emails import HOSTILE, LETTERS
from tests.fuzz.player_emails import FRAGMENTS

FOUND = Path(__file__).parent / "found"
BYTES_MAX = 20_000  # Longer emails have no more kinds of lines.
WALL_SECONDS_MAX = 60  # of one email, on a busy machine
HEAD = b"From: france@players.example\nSubject: orders\n\n"
FRAGMENTS_A_MAIL = 8
WORD_BYTES_MAX = 64  # of what is put into emails as a whole: libFuzzer takes no longer ones


def main(seconds: int) -> None:
    """Mutate emails for this many *seconds*; does not return."""
    corpus, words = FOUND / "corpus", FOUND / "words"
    corpus.mkdir(parents=True, exist_ok=True)
    said = [fragment.encode("utf-8") for fragment in FRAGMENTS]
    seated = (
        HEAD + b"\n".join(said[at : at + FRAGMENTS_A_MAIL])
        for at in range(0, len(said), FRAGMENTS_A_MAIL)
    )
    for number, letter in enumerate((*LETTERS, *seated)):
        (corpus / f"letter-{number}").write_bytes(letter)
    short = (word for word in (*HOSTILE, *said) if 0 < len(word) < WORD_BYTES_MAX)
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in short), encoding="ascii")
    already = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    options = (
        f"-max_total_time={seconds}",
        f"-max_len={BYTES_MAX}",
        f"-timeout={WALL_SECONDS_MAX}",
        f"-rss_limit_mb={(already + MEMORY_BYTES_MAX) >> 20}",
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
    if isinstance(opened, OpenedEmail):
        with unforgiving():
            read_on(opened)
    took = time.process_time() - began
    assert took < CPU_SECONDS_MAX, f"{took:.1f} s"


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    main(int(sys.argv[1]))
