"""Any text of a seated player is read in time and answered, and no line of it is lost."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, Phase, example, given, seed, settings
from hypothesis import strategies as st

from judge.adapters.mail_sandbox import CPU_SECONDS_MAX
from judge.app.commands.email_orders import read_email
from judge.mail.body import split
from tests.fuzz.player_emails import FRAGMENTS, texts
from tests.fuzz.reply_check import SITUATIONS, Seat, Slowest, look_at_reading
from tests.support.cost import takes_less_than

AT_LENGTH_SECONDS = int(os.environ.get("JUDGE_TEST_FUZZ_SECONDS", "600"))
LONG = 240_000  # characters
UNHURRIED = settings(
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    max_examples=120,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),  # to explain takes the CPU it measures
)
WAYS = ("phase", "phase", "press", "question", "none")
SUBJECTS = ("orders", "", "Re: :: Judge: JUDGE", "baltic", "YES", "A Par-Bur", "HELP", "F1901M")


@pytest.fixture(scope="module")
def seat() -> Iterator[Seat]:
    """Return a player of a started game."""
    seat = Seat()
    yield seat
    seat.close()


@given(text=texts())
@settings(UNHURRIED)
@example(text="")
@example(text="- retreat to Gas\nA Par S moves build\nIF A Par THEN\n> A Par-Bur\n-- \nx")
def test_any_email_of_a_seated_player_is_read_in_time_and_no_line_is_lost(text: str) -> None:
    look_at_reading(text, Slowest())


@given(
    text=texts(),
    way=st.sampled_from(WAYS),
    subject=st.sampled_from(SUBJECTS),
    beyond=st.booleans(),
)
@settings(UNHURRIED, max_examples=20)
@example(text="- retreat to Gas", way="phase", subject="", beyond=True)
@example(text="A Par S moves build", way="phase", subject="", beyond=True)
def test_any_email_of_a_seated_player_is_answered_and_never_quarantined(
    seat: Seat, text: str, way: str, subject: str, *, beyond: bool
) -> None:
    seat.look(text, way=way, subject=subject, beyond=beyond)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("between", ["\n", " ", ""], ids=["lines", "words", "one word"])
def test_repeated_text_is_read_in_linear_time(between: str) -> None:
    slow = []
    for fragment in FRAGMENTS:
        text = between.join([fragment] * (LONG // (len(fragment) + len(between))))
        if not takes_less_than(
            CPU_SECONDS_MAX, lambda text: read_email(SITUATIONS[0], split(text)), text
        ):
            slow.append(fragment)
    assert slow == []


@pytest.mark.slow
@pytest.mark.timeout(AT_LENGTH_SECONDS + 300)
def test_ten_minutes_of_emails_of_a_seated_player_are_read_and_answered(
    record_property: Callable[[str, object], None], seat: Seat
) -> None:
    slowest = Slowest()
    answered = 0

    @UNHURRIED
    @given(texts())
    def look(text: str) -> None:
        look_at_reading(text, slowest)

    @settings(UNHURRIED, max_examples=20)
    @given(texts(), st.sampled_from(WAYS), st.sampled_from(SUBJECTS), st.booleans())
    def answer(text: str, way: str, subject: str, beyond: bool) -> None:  # noqa: FBT001 - drawn
        nonlocal answered
        answered += 1
        seat.look(text, way=way, subject=subject, beyond=beyond)

    end = time.monotonic() + AT_LENGTH_SECONDS
    while time.monotonic() < end:
        seed(time.monotonic_ns())(look)()
        seed(time.monotonic_ns())(answer)()
    record_property(
        "The fuzz of a seated player",
        f"{slowest.texts} readings and {answered} answers in {AT_LENGTH_SECONDS} s; the slowest "
        f"reading took {slowest.seconds:.3f} s of CPU",
    )
