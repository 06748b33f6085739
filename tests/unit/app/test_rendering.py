"""Emails are rendered from facts, apart from what decides: an error in a template stops only one.

The folder of an operator's own templates stands in front of ours, as the setting `templates` does.
"""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from click.testing import CliRunner

from judge.adapters.variant_files import load_map
from judge.app.admin import health
from judge.app.admin.operator_note import write_note
from judge.app.outbound.delivery import Later
from judge.app.outbound.facts import PAGES, EmailFacts, FactsReader, write_facts
from judge.app.outbound.rendering import RENDER_AGAIN
from judge.app.ports.outbox import SentMail
from judge.app.ports.people import MailForm
from judge.cli.root import root
from judge.reports.emails.contexts import Context
from judge.reports.render import render
from judge.resources import folder, override_files
from judge.rules.board import Map
from tests.support.carriers import deliver
from tests.support.table import POWERS, Mail, Table
from tests.unit.reports.samples import CLOSING, samples

RESULTS = "mail/results/movement.txt.j2"
SAMPLES = samples()


@pytest.fixture(scope="module")
def ordered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database of a judge whose emails are sent and whose players have ordered."""
    with closing(Table(tmp_path_factory.mktemp("ordered"))) as table:
        table.start()
        table.all_hold()
        deliver(table)
    return table.file


@pytest.fixture
def table(ordered: Path, tmp_path: Path) -> Iterator[Table]:
    shutil.copy(ordered, tmp_path)
    with closing(Table(tmp_path, "again", form=MailForm.PICTURES)) as table:
        table.clock.time += timedelta(hours=13)
        yield table


@pytest.fixture
def own_templates(tmp_path: Path) -> Iterator[Callable[[str, str], Path]]:
    """Return a function that writes a template of the operator."""
    front = tmp_path / "templates"
    front.mkdir()

    def write(name: str, text: str) -> Path:
        file = front / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        override_files("templates", front)
        return file

    yield write
    override_files("templates", None)


def break_results(own_templates: Callable[[str, str], Path]) -> Path:
    ours = (folder("templates") / RESULTS).read_text(encoding="utf-8")
    return own_templates(RESULTS, f"{ours}{{{{ salutation }}}}\n")


def send(table: Table, answered: Mail, text: str) -> None:
    """Reply to *answered* without looking at what the judge answers."""
    message = table.compose(
        answered.recipient, text, answered.reply_to, In_Reply_To=answered.message_id
    )
    table.deliver(message, None, answered.reply_to)
    table.run_once()


def waiting(table: Table) -> list[SentMail]:
    with table.database.read() as transaction:
        return [each for each in transaction.outbox.entries() if each.way.value == "deferred"]


def test_an_error_in_a_template_stops_neither_the_game_nor_its_other_emails(
    table: Table, own_templates: Callable[[str, str], Path]
) -> None:
    answered = table.latest("FRANCE")
    break_results(own_templates)

    table.run_once()
    send(table, answered, "STATUS")

    assert table.phase() == "F1901M"
    [answer] = deliver(table)
    assert answer.recipient == answered.recipient
    assert [each.kind for each in waiting(table)] == ["phase_results"] * len(POWERS)


def test_an_error_in_the_template_of_receipts_costs_no_order(
    table: Table, own_templates: Callable[[str, str], Path]
) -> None:
    answered = table.latest("FRANCE")
    table.clock.time -= timedelta(hours=13)
    own_templates("mail/receipt.txt.j2", "{{ salutation }}")

    send(table, answered, "A Par-Bur")

    assert not deliver(table)
    assert "A PAR - BUR" in table.current_orders("FRANCE")
    assert set(table.inbox()) == {"processed"}


def test_an_error_in_the_template_of_results_costs_no_order_beside_a_history(
    table: Table, own_templates: Callable[[str, str], Path]
) -> None:
    table.run_once()
    table.render()
    answered = table.latest("FRANCE")
    break_results(own_templates)

    send(table, answered, "A Par-Bur\nHISTORY")

    assert "A PAR - BUR" in table.current_orders("FRANCE")
    assert set(table.inbox()) == {"processed"}


def test_the_operator_learns_which_template_line_and_name_to_mend(
    table: Table, own_templates: Callable[[str, str], Path]
) -> None:
    file = break_results(own_templates)
    lines = len(file.read_text(encoding="utf-8").splitlines())

    table.run_once()
    deliver(table)

    found = health.examine(table.judge)
    [failure] = found.tally.unrendered
    assert found.troubles == ("template_fails",)
    assert failure.reason == f"{RESULTS}:{lines}: 'salutation' is undefined"
    assert failure.mails == len(POWERS)
    assert "judge outbox retry" in health.FIXES["template_fails"]


def test_emails_are_sent_once_their_template_is_mended_and_all_are_retried(
    table: Table, own_templates: Callable[[str, str], Path]
) -> None:
    break_results(own_templates)
    table.run_once()
    deliver(table)
    file = own_templates(RESULTS, "{{ heading.game }} is mended\n")

    assert not deliver(table), "it is not time yet"
    retry = ["outbox", "retry", "--database", str(table.file)]
    own = {"JUDGE_TEMPLATES": str(file.parents[2])}
    with time_machine.travel(table.clock.time, tick=False):
        retried = CliRunner().invoke(root, retry, env=own)
    mails = deliver(table)

    assert retried.output.split()[1::2] == ["deferred"] * len(POWERS), retried.output
    assert len(mails) == len(POWERS)
    assert all(b"baltic is mended" in mail.raw for mail in mails)
    assert health.examine(table.judge).troubles == ()


def test_after_three_failures_the_shipped_template_is_used(
    table: Table, own_templates: Callable[[str, str], Path]
) -> None:
    break_results(own_templates)
    table.run_once()

    went = []
    for failures in range(3):
        table.clock.time += RENDER_AGAIN * (1 << failures)
        went.append(deliver(table))

    assert [len(mails) for mails in went] == [0, 0, len(POWERS)]
    assert any(
        "template.replaced" in line and RESULTS in line for line in table.operator_log.lines
    )
    assert b"salutation" not in went[2][0].raw


def test_the_operator_is_told_for_a_day_that_the_shipped_template_was_used(
    table: Table, own_templates: Callable[[str, str], Path]
) -> None:
    break_results(own_templates)
    table.run_once()
    for failures in range(3):
        table.clock.time += RENDER_AGAIN * (1 << failures)
        deliver(table)
    table.run_once()

    found = health.examine(table.judge)
    [fault] = found.tally.replaced
    assert found.troubles == ("template_replaced",)
    assert RESULTS in fault.reason
    assert "'salutation' is undefined" in fault.reason
    assert fault.mails == len(POWERS)

    operated = dataclasses.replace(table.judge, operator_address="operator@judge.example")
    write_note(operated, {name: found.explain(name) for name in found.troubles})
    [note] = deliver(table)
    assert "template_replaced" in note.raw.decode()

    table.clock.time += timedelta(days=1)
    assert not health.examine(table.judge).tally.replaced


def test_an_error_in_a_shipped_template_keeps_the_email_until_it_is_mended(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise ValueError("A Par-Bur")

    table.run_once()
    with monkeypatch.context() as broken:
        broken.setattr("judge.app.outbound.rendering.render", fail)
        deliver(table)
    [failure] = health.examine(table.judge).tally.unrendered
    assert failure.reason == "ValueError", "what the error says may be an order"
    assert not any("Par-Bur" in line for line in table.operator_log.lines)

    table.clock.time += RENDER_AGAIN
    assert len(deliver(table)) == len(POWERS)


def test_a_crash_between_decision_and_rendering_loses_and_repeats_no_email(table: Table) -> None:
    table.run_once()
    with table.database.read() as transaction:
        outbox, now = transaction.outbox, table.clock.now()
        unrendered = outbox.unrendered(now, 100, outbox.unrendered_games(now, 100))
    with closing(Table(table.file.parent)) as restarted:
        restarted.clock.time = table.clock.time
        mails = deliver(restarted)
        assert not deliver(restarted)

    assert [mail.message_id for mail in mails] == [mail.message_id for mail in unrendered]
    assert all(mail.raw for mail in mails)


def test_a_crash_between_rendering_and_sending_sends_the_rendered_bytes(
    table: Table, own_templates: Callable[[str, str], Path]
) -> None:
    table.run_once()
    table.render()
    stored = dict(table.query("SELECT message_id, raw FROM outbox WHERE state = 'queued'"))
    own_templates(RESULTS, "other words\n")

    with closing(Table(table.file.parent)) as restarted:
        restarted.clock.time = table.clock.time
        mails = deliver(restarted, *[Later("busy")] * len(POWERS))
        restarted.clock.time += timedelta(minutes=2)
        again = deliver(restarted)

    assert len(mails) == len(again) == len(POWERS)
    for mail in (*mails, *again):
        assert mail.raw.partition(b"Content-Type: image")[0].split() == (
            stored[mail.message_id].partition(b"Content-Type: image")[0].split()
        )


def test_an_email_that_two_judges_render_keeps_the_bytes_of_the_first(table: Table) -> None:
    table.run_once()
    with table.database.read() as transaction:
        outbox, now = transaction.outbox, table.clock.now()
        unrendered = outbox.unrendered(now, 100, outbox.unrendered_games(now, 100))
    with table.database.write() as transaction:
        for mail in unrendered:
            transaction.outbox.rendered(mail.message_id, b"first")
        for mail in unrendered:
            transaction.outbox.rendered(mail.message_id, b"second")
            assert transaction.outbox.find(mail.message_id) == dataclasses.replace(
                mail, raw=b"first", facts=None, render_utc=None
            )


def test_however_late_results_are_rendered_they_say_what_was_so_at_the_close(
    table: Table, tmp_path: Path
) -> None:
    table.run_once()
    (tmp_path / "late").mkdir()
    for file in tmp_path.glob("judge.db*"):
        shutil.copy(file, tmp_path / "late")
    at_once = {mail.message_id: mail.text for mail in table.outbox()}

    with closing(Table(tmp_path / "late")) as late:
        for _ in range(12):  # Phases close, and powers fall into civil disorder.
            late.clock.time += timedelta(days=31)
            late.run_once()
        texts = {mail.message_id: mail.text for mail in late.outbox()}

    assert len(texts) > len(at_once) > len(POWERS)
    for name, text in at_once.items():
        assert texts[name].splitlines() == text.splitlines()


def plain(value: object) -> object:
    """Return *value* as its fields, and boards as their names: a board equals only itself."""
    match value:
        case Map():
            return value.name
        case list() | tuple():
            return [plain(each) for each in value]
        case Mapping():
            return {key: plain(each) for key, each in value.items()}
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
            return type(value), plain(fields)
        case _:
            return value


def facts_reader() -> FactsReader:
    return FactsReader(lambda variant, _: load_map(variant), lambda _: CLOSING)


@pytest.mark.parametrize("name", SAMPLES)
def test_an_email_of_each_kind_is_the_same_from_its_stored_facts(name: str) -> None:
    facts, page = EmailFacts(written=datetime(2026, 11, 23, 12, tzinfo=UTC)), SAMPLES[name]

    stored = write_facts(facts, (page,))
    read, [again] = facts_reader().read(stored)

    assert read == facts
    assert plain(again) == plain(page)
    assert (render(again).text, render(again).html) == (render(page).text, render(page).html)


def test_half_a_character_in_a_text_stops_no_email() -> None:
    facts = EmailFacts(written=datetime(2026, 11, 23, 12, tzinfo=UTC), zone="Par\udc80is")

    read, _ = facts_reader().read(write_facts(facts, ()))

    assert read.zone == "Paris"


def test_every_kind_of_email_can_be_stored() -> None:
    assert set(PAGES) == {each.__name__ for each in subclasses(Context)}


def subclasses(of: type[Context]) -> Iterator[type[Context]]:
    for each in of.__subclasses__():
        yield each
        yield from subclasses(each)


def test_readers_who_see_the_same_share_their_results() -> None:
    page = SAMPLES["results_movement"]
    facts = EmailFacts(written=datetime(2026, 11, 23, 12, tzinfo=UTC))
    reader = facts_reader()

    [first], [second] = (reader.read(write_facts(facts, (page,)))[1] for _ in range(2))

    assert first.shared is second.shared  # type: ignore[attr-defined]  # results have them
