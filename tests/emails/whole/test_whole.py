"""No part of a whole email is lost: it has its effect, or an answer quotes it."""

from __future__ import annotations

import pytest

from tests.emails.whole.generated import try_emails


@pytest.mark.parametrize("count", [40, pytest.param(300, marks=pytest.mark.gate)])
def test_no_part_of_a_whole_email_is_lost(count: int) -> None:
    result = try_emails(count)

    print(result.table())
    assert not result.lost, result.lost[0]
