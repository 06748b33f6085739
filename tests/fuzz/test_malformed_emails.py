"""No bytes make reading fail, hang or use much memory: R13."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, example, given, seed, settings

from tests.fuzz.malformed_emails import HOSTILE, LETTERS, mails
from tests.fuzz.parse_check import ParseCheck

AT_LENGTH_SECONDS = int(os.environ.get("JUDGE_TEST_FUZZ_SECONDS", "600"))
UNHURRIED = settings(
    deadline=None, database=None, suppress_health_check=list(HealthCheck), max_examples=500
)


def with_examples(test: Callable[..., None]) -> Callable[..., None]:
    """Try each hostile piece in the subject and in the text of a real email, and all together."""
    for number, piece in enumerate(HOSTILE):
        head, _, body = LETTERS[number % len(LETTERS)].partition(b"\n\n")
        mail = b"".join((head, b"\nSubject: ", piece, b"\n\n", piece, body))
        test = example(mail=mail)(test)
    return example(mail=b"")(example(mail=b"".join(HOSTILE))(test))


@pytest.fixture(scope="module")
def looking() -> Iterator[ParseCheck]:
    """Return one reader for all emails of this module, so later ones follow all the others."""
    reader = ParseCheck()
    yield reader
    reader.close()


@with_examples
@given(mail=mails)
@settings(UNHURRIED, max_examples=300)
def test_any_mail_is_read_to_its_end(looking: ParseCheck, mail: bytes) -> None:
    looking.look(mail)


@pytest.mark.slow
@pytest.mark.timeout(AT_LENGTH_SECONDS + 300)
def test_ten_minutes_of_emails_are_read_to_their_end(
    record_property: Callable[[str, object], None],
) -> None:
    looking = ParseCheck()

    @UNHURRIED
    @given(mail=mails)
    def look(mail: bytes) -> None:
        looking.look(mail)

    end = time.monotonic() + AT_LENGTH_SECONDS
    while time.monotonic() < end:
        seed(time.monotonic_ns())(look)()
    looking.close()
    record_property(
        "The fuzz",
        f"{looking.mails} mails in {AT_LENGTH_SECONDS} s; after opening, the slowest took "
        f"{looking.slowest:.3f} s of CPU; the reader's peak was {looking.memory_kb // 1024} MB; "
        f"beyond our limits: {looking.unreadable}",
    )
