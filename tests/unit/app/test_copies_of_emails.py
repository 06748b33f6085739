"""Emails that arrive twice, as `docs/operators/how-it-works.md` describes it."""

from __future__ import annotations

from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

from click.testing import CliRunner

from judge.cli.root import root
from tests.support.table import Table, address_of

FRANCE = address_of("FRANCE")
ALREADY = "The judge already received this email on Mon 23 Nov 2026 12:00 UTC"


def arrive(table: Table, mail: EmailMessage) -> None:
    """Store *mail* as the door does, and process it."""
    table.deliver(mail, None, str(mail["To"]))
    table.run_once()


def test_the_same_email_through_two_inputs_has_one_effect(table: Table) -> None:
    answered = table.latest("FRANCE")
    mail = table.compose(FRANCE, "A Par-Bur", answered.reply_to)
    arrive(table, mail)
    table.send("FRANCE", "A Par-Pic")
    mail["Received"] = "by another way"

    arrive(table, mail)

    again = table.emails_to(FRANCE)[-1]
    assert "The judge already received this email on Mon 23 Nov 2026 12:00 UTC" in again.words
    assert table.current_orders("FRANCE") == ("A PAR - PIC",)


def test_the_same_bytes_again_are_kept_once(table: Table) -> None:
    mail = table.compose(FRANCE, "A Par-Bur").as_bytes()

    assert table.store_email(mail)
    assert not table.store_email(mail)


def test_the_same_text_in_another_email_counts_again(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")
    table.send("FRANCE", "A Par-Pic")

    table.send("FRANCE", "A Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_an_email_without_a_message_id_counts_each_time(table: Table) -> None:
    answered = table.latest("FRANCE")
    for order in ("A Par-Bur", "A Par-Pic", "A Par-Bur"):
        mail = table.compose(FRANCE, order, answered.reply_to)
        del mail["Message-ID"]
        mail["Received"] = str(table.inbox())
        arrive(table, mail)

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_an_email_without_a_message_id_is_known_by_its_date(table: Table) -> None:
    answered = table.latest("FRANCE")
    mail = table.compose(FRANCE, "A Par-Bur", answered.reply_to)
    del mail["Message-ID"]
    mail["Date"] = "Mon, 23 Nov 2026 11:59:00 +0000"
    arrive(table, mail)
    table.send("FRANCE", "A Par-Pic")
    mail["Received"] = "by another way"

    arrive(table, mail)

    assert ALREADY in table.emails_to(FRANCE)[-1].words
    assert table.current_orders("FRANCE") == ("A PAR - PIC",)


def test_another_text_under_the_same_message_id_counts(table: Table) -> None:
    answered = table.latest("FRANCE")
    for order in ("A Par-Bur", "A Par-Pic"):
        mail = table.compose(FRANCE, order, answered.reply_to, Message_ID="<1@players.example>")
        arrive(table, mail)

    assert table.current_orders("FRANCE") == ("A PAR - PIC",)


def test_a_copy_after_its_phase_has_closed_is_asked_about_and_not_executed(table: Table) -> None:
    answered = table.latest("FRANCE")
    mail = table.compose(FRANCE, "A Par-Bur", answered.reply_to)
    arrive(table, mail)
    table.close_phase()
    mail["Received"] = "by another way"

    arrive(table, mail)
    question = table.emails_to(FRANCE)[-1]
    table.confirm(question)

    assert question.kind == "confirm_mail"
    assert ALREADY in table.emails_to(FRANCE)[-1].words
    assert table.current_orders("FRANCE") == ()


def test_after_a_restore_what_came_since_the_backup_counts_when_it_comes_again(
    table: Table, tmp_path: Path
) -> None:
    answered = table.latest("FRANCE")
    before, since = (
        table.compose(FRANCE, order, answered.reply_to) for order in ("A Par-Bur", "A Mar-Spa")
    )
    table.deliver(before, None, answered.reply_to)
    table.run_once()
    file = tmp_path / "saved.gz"
    _judge("backup", str(file), "--database", str(table.file))
    table.send("FRANCE", "A Par-Pic")
    table.deliver(since, None, answered.reply_to)
    table.run_once()
    (tmp_path / "restored").mkdir()
    _judge("restore", str(file), "--database", str(tmp_path / "restored" / "judge.db"))

    with closing(Table(tmp_path / "restored", "restored")) as restored:
        before["Received"] = "by another way"
        for mail in (before, since):
            restored.deliver(mail, None, answered.reply_to)
            restored.run_once()

        [copy, new] = restored.emails_to(FRANCE, "receipt")[-2:]
        assert ALREADY in copy.words
        assert ALREADY not in new.words
        assert restored.current_orders("FRANCE") == ("A PAR - BUR", "A MAR - SPA")


def _judge(*words: str) -> None:
    done = CliRunner().invoke(root, words)
    assert done.exit_code == 0, done.output
