"""What somebody hostile, or clumsy, has tried."""

from __future__ import annotations

from hashlib import sha256

from tests.support.table import FIRST_DEADLINE, JUDGE, POWERS, Table, of

FORGER = "forger@elsewhere.example"


def test_a_deadline_at_which_only_a_vacant_power_has_no_orders_is_told(
    judge: Table,
) -> None:
    judge.start("baltic", "takeover_hours=240")
    [*_, confirm] = judge.reply(judge.latest("TURKEY"), "RESIGN")
    judge.reply(confirm, "YES")
    judge.all_hold(but=["TURKEY"])

    told = judge.wait_until(FIRST_DEADLINE)

    assert {mail.recipient for mail in told} == {of(power) for power in POWERS} - {of("TURKEY")}
    assert {mail.kind for mail in told} == {"late_notice"}


def test_nobody_speaks_for_a_player_by_the_name_of_a_mail_that_he_caused(table: Table) -> None:
    asked = table.written(of("FRANCE"), "A Par H").as_bytes()
    table.keep(asked, FORGER)
    table.turn()
    cause = f"mail:{sha256(asked).hexdigest()}:{JUDGE}:confirm\0{of('FRANCE')}"
    guess = f"<{sha256(cause.encode()).hexdigest()[:32]}@judge.example>"

    table.mail(of("FRANCE"), "A Par-Bur", In_Reply_To=guess)

    assert table.standing("FRANCE") == ()
