"""No part of a whole email is lost: it has its effect, or an answer quotes it."""

from __future__ import annotations

import pytest

from tests.emails.whole.generated import try_emails


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(20, marks=pytest.mark.sample),
        pytest.param(180, marks=pytest.mark.gate),  # .ci/long tries 20,000
    ],
)
def test_no_part_of_a_whole_email_is_lost(count: int) -> None:
    result = try_emails(count)

    print(result.table())
    assert not result.lost, result.lost[0]
