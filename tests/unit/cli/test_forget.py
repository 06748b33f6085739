"""`judge forget`: erases every trace of a person except an id, and keeps the logs valid."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.store import export_import, postgresql, sqlite
from judge.adapters.store.database import open_database
from judge.adapters.store.sql_people import SqlPersonalData
from judge.adapters.store.transactions import SqlDatabase
from judge.app.ports.inbox import InboxState
from judge.app.ports.people import MailForm, TraceSearch
from judge.cli.root import root
from judge.mail.headers import ADDRESSES_MAX
from judge.settings import DatabaseServer
from tests.bench.answering import typical_email
from tests.support.postgres import Postgres
from tests.support.table import JUDGE, MODERATOR, Table, address_of

FRANCE, GERMANY = address_of("FRANCE"), address_of("GERMANY")
OTHER = "Marie.Other@elsewhere.example"
PRESS, PASSWORD = "marzipan in Metz", "sesame7street"
HANDLE = "Kaiserin77"
MARKS = (FRANCE, OTHER, PRESS, PASSWORD, HANDLE)
Store = Path | DatabaseServer


def run(command: str, database: Store, *arguments: str) -> Result:
    where = database.url if isinstance(database, DatabaseServer) else str(database)
    return CliRunner().invoke(root, [*command.split(), *arguments, "--database", where])


def mark_sent(database: SqlDatabase) -> None:
    """Mark all queued emails as sent."""
    with database.write() as transaction:
        transaction.connection.exec_driver_sql("UPDATE outbox SET state = 'sent', attempts = 1")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store where the player of France left traces everywhere in two games."""
    table = Table(tmp_path_factory.mktemp("played"), form=MailForm.PICTURES)
    table.start("baltic", moderator=MODERATOR)
    table.start("garnet")
    table.send("FRANCE", f"SET PASSWORD {PASSWORD}\nA Par - Bur\nDRAW")
    table.send("FRANCE", f"SET HANDLE {HANDLE}")
    table.mail("asking@players.example", "WHOGAME baltic")
    table.send("FRANCE", f"PRESS TO GERMANY\nThere is {PRESS}.\nENDPRESS")
    table.send("FRANCE", f"PRESS TO ALL\nAll say {PRESS}.\nENDPRESS")
    table.send("GERMANY", f"A Mun - Ruh\n> There is {PRESS}.")
    table.send("FRANCE", f"SET ADDRESS {OTHER}")
    for confirming in table.emails_to(FRANCE, "confirm_mail")[-1:]:
        table.confirm(confirming)
    for confirming in table.emails_to(OTHER, "confirm_address")[-1:]:
        table.confirm(confirming)
    table.send("GERMANY", f"A Mun - Tyr\nI know {FRANCE.upper()}, he is in there.")
    table.mail("stranger@players.example", f"Who is {OTHER}?")
    hidden = b64encode(f"Write to {OTHER} and not to me.".encode())
    head = b"From: another@players.example\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    table.store_email(head + hidden[:20] + b"\r\n" + hidden[20:] + b"\r\n")
    table.mail("", f"Mail to {FRANCE} failed.", JUDGE, envelope="", Auto_Submitted="yes")
    table.mail("stranger@players.example", "SIGNON baltic", From=FRANCE)
    table.send("FRANCE", "SET HANDLE Marschallin")  # answers to others have the old one
    table.play("baltic")
    mark_sent(table.database)
    table.close()
    return table.file


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, played: Path, tmp_path: Path) -> Store:
    file = tmp_path / "judge.gz"
    assert run("backup", played, str(file)).exit_code == 0
    target: Store = tmp_path / "judge.db"
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        target = server.empty()
    assert run("restore", target, str(file)).exit_code == 0
    return target


def stored_values(store: Store) -> Iterator[bytes]:
    """Yield every row of every table, and long base64 cells decoded as well."""
    with closing(open_database(store)) as opened, opened.read() as transaction:
        for line in export_import.export_lines(transaction.connection):
            yield line.encode()
            for cell in json.loads(line).get("row", {}).values():
                if isinstance(cell, str) and len(cell) % 4 == 0 and len(cell) > 100:
                    try:
                        yield b64decode(cell, validate=True)
                    except ValueError:
                        continue


def found(store: Store) -> set[str]:
    """Return the traces in a store and in its file."""
    everything = [each.replace(b"\r\n", b"").lower() for each in stored_values(store)]
    if isinstance(store, Path):
        files = store.parent.glob(f"{store.name}*")
        everything += [file.read_bytes().lower() for file in files]
    forms = {
        mark: {mark.lower().encode(), b64encode(f"Write to {mark}".encode()).lower()[:30]}
        for mark in MARKS
    }
    return {
        mark
        for mark, written in forms.items()
        if any(form in each for form in written for each in everything)
    }


def on_disk(postgres: Postgres, store: DatabaseServer) -> set[str]:
    """Return the traces in the files of a PostgreSQL database."""
    postgres.ask(store, "CHECKPOINT")
    [(oid,)] = postgres.ask(
        store, "SELECT oid FROM pg_database WHERE datname = current_database()"
    )
    files = [
        each for each in Path(postgres.base, "data", "base", str(oid)).iterdir() if each.is_file()
    ]
    everything = [each.read_bytes().lower() for each in files]
    return {mark for mark in MARKS if any(mark.lower().encode() in each for each in everything)}


def heads(store: Store) -> dict[str, object]:
    with closing(open_database(store)) as opened, opened.read() as transaction:
        return {game: transaction.events.head(game) for game in transaction.events.games()}


def end(store: Store) -> None:
    for game in ("baltic", "garnet"):
        assert run(f"game terminate {game}  ", store).exit_code == 0
    with closing(open_database(store)) as database:
        mark_sent(database)


def test_r51_nothing_is_left_of_a_person_and_every_chain_still_holds(store: Store) -> None:
    end(store)
    before = heads(store)
    assert found(store) == {*MARKS} - {PASSWORD}  # only its hash is stored

    told = run("forget", store, FRANCE, "--yes", "--json")

    assert told.exit_code == 0, told.output
    erased = json.loads(told.stdout)
    assert erased["goes"]["addresses"] == 2
    assert found(store) == set()
    assert heads(store) == before
    verified = run("log verify", store)
    assert verified.exit_code == 0, verified.output
    assert run("game show baltic", store).exit_code == 0
    assert run("game export baltic --to record", store).exit_code == 0
    assert "is not registered" in run("player show", store, OTHER).stderr
    assert run("player show", store, GERMANY).exit_code == 0
    assert "stays" in erased
    assert json.loads(run("forget", store, FRANCE, "--yes", "--json").stdout)["person"] is None


@pytest.mark.parametrize("also", ["", "SET HANDLE Asking7\n"])  # then it is answered later
def test_an_answer_names_a_person_of_another_game_who_is_called_otherwise_now(
    tmp_path: Path, also: str
) -> None:
    with closing(Table(tmp_path)) as table:
        table.start("baltic")
        table.start("garnet", variant="ancient-med")
        table.send("FRANCE", f"SET HANDLE {HANDLE}", "baltic")
        answer = table.send("ROME", f"{also}STATUS\nWHOGAME baltic", "garnet")
        assert HANDLE in answer.text
        table.send("FRANCE", "SET HANDLE Marschallin", "baltic")
        mark_sent(table.database)
        games = "SELECT DISTINCT game FROM outbox WHERE recipient LIKE 'rome@%'"
        assert table.query(games) == [("garnet",)]
    assert HANDLE in found(table.file)

    assert run("forget", table.file, FRANCE, "--from-games", "--yes").exit_code == 0

    assert HANDLE not in found(table.file)


def test_an_answer_that_quotes_an_address_is_found_when_its_owner_has_another(
    tmp_path: Path,
) -> None:
    with closing(Table(tmp_path)) as table:
        table.start("baltic")
        table.send("FRANCE", f"SET ADDRESS {OTHER}")
        for kind, address in (("confirm_mail", FRANCE), ("confirm_address", OTHER)):
            for confirming in table.emails_to(address, kind)[-1:]:
                table.confirm(confirming)
        [answer] = table.mail(GERMANY, f"A Mun H\nThat is what to={FRANCE} said.")
        assert FRANCE in answer.text
        mark_sent(table.database)
        with table.database.write() as transaction:
            owner = transaction.people.by_address(FRANCE)
            assert owner
            assert transaction.people.drop_address(owner.id, FRANCE)

    assert run("forget", table.file, OTHER, "--from-games", "--yes").exit_code == 0

    with closing(open_database(table.file)) as opened, opened.read() as transaction:
        mail = transaction.outbox.find(answer.message_id)
    assert mail
    assert mail.raw == b""


def test_a_player_is_removed_from_games_only_on_request(played: Path, tmp_path: Path) -> None:
    store = tmp_path / "judge.db"
    store.write_bytes(played.read_bytes())

    refused = run("forget", store, FRANCE, "--yes")
    assert refused.exit_code == 69
    assert "they take part in baltic, garnet" in refused.stderr
    assert FRANCE in found(store)

    told = run("forget", store, FRANCE, "--from-games", "--yes")
    assert told.exit_code == 0, told.output
    assert "emails to others that wait to be sent" in told.output
    assert not found(store) & {FRANCE, OTHER, PRESS, HANDLE}
    with closing(open_database(store)) as database, database.write() as transaction:
        transaction.connection.exec_driver_sql("DELETE FROM outbox WHERE raw = x''")
    table = Table(tmp_path, "later")
    assert table.game("baltic").seats["FRANCE"].state.value == "vacant"
    [confirm] = table.mail(FRANCE, "JOIN baltic FRANCE")
    table.reply(confirm, confirm.yes)
    assert table.game("baltic").seats["FRANCE"].state.value == "played"
    table.play("baltic")
    table.close()
    assert run("log verify", store).exit_code == 0


def test_without_yes_it_only_lists_what_would_be_erased(played: Path, tmp_path: Path) -> None:
    store = tmp_path / "judge.db"
    store.write_bytes(played.read_bytes())
    before = [*stored_values(store)]

    told = run("forget", store, FRANCE, "--from-games")

    assert told.exit_code == 0, told.output
    assert "goes        2 addresses\n" in told.stdout
    assert "stays         earlier backups\n" in told.stdout
    assert told.stdout.endswith("nothing was done; --yes erases, and cannot be undone\n")
    assert [*stored_values(store)] == before


def test_a_stranger_is_erased_and_others_emails_still_wait(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)
    stranger = "stranger@players.example"
    table.mail(stranger, "HELP")
    table.mail(stranger, "JOIN nowhere")
    waits = table.compose(GERMANY, f"{stranger} wants to play, too.")
    table.deliver(waits, None, JUDGE)
    table.close()

    told = run("forget", table.file, stranger, "--yes")

    assert told.exit_code == 0, told.output
    assert "stays       1 emails that are not opened yet\n" in told.stdout
    with closing(open_database(table.file)) as opened, opened.read() as transaction:
        states = [entry.state for entry in transaction.inbox.entries()]
        assert states == [InboxState.PROCESSED, InboxState.IGNORED, InboxState.RECEIVED]
        mails = [transaction.inbox.get(number) for number in (1, 2, 3)]
        assert [bool(mail and mail.raw) for mail in mails] == [False, False, True]


@pytest.mark.parametrize("writer", ["stranger@players.example", FRANCE.removeprefix("fr")])
def test_an_incoming_email_is_found_when_the_owner_of_the_address_in_it_has_another(
    writer: str, tmp_path: Path
) -> None:
    with closing(Table(tmp_path)) as table:
        table.start("baltic")
        table.mail(writer, f"That is what {FRANCE} said.")
        with table.database.write() as transaction:
            owner = transaction.people.by_address(FRANCE)
            assert owner
            transaction.people.add_address(owner.id, OTHER, primary=True)
            assert transaction.people.drop_address(owner.id, FRANCE)
        mark_sent(table.database)
    assert FRANCE in found(table.file)

    told = run("forget", table.file, OTHER, "--from-games", "--yes")

    assert told.exit_code == 0, told.output
    assert FRANCE not in found(table.file)


def test_an_email_with_too_many_addresses_counts_as_one_that_names_anybody(
    tmp_path: Path,
) -> None:
    with closing(Table(tmp_path)) as table:
        others = ", ".join(f"a{number}@x.example" for number in range(ADDRESSES_MAX + 1))
        table.mail("stranger@players.example", f"HELP {others}, zoe@z.example")

    assert run("forget", table.file, "zoe@z.example", "--yes").exit_code == 0

    assert not any(b"zoe@z.example" in each for each in stored_values(table.file))


def test_orders_in_reply_to_an_email_name_nobody(tmp_path: Path) -> None:
    with closing(Table(tmp_path, form=MailForm.PICTURES)) as table:
        table.start("baltic")
        start = table.latest("FRANCE")
        table.deliver(typical_email(table, start, ("A Par-Bur",)), None, start.reply_to)
        table.run_once()
        assert table.inbox()[-1] == "processed"
        assert table.query("SELECT name FROM incoming_mentions") == []


def test_the_search_blocks_nobody_and_covers_mail_that_arrives_meanwhile(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0)  # how long it waits for other writers
    store = tmp_path / "judge.db"
    store.write_bytes(played.read_bytes())
    search = SqlPersonalData.read
    new = "Zarina88"

    def interrupted(traces: SqlPersonalData, reading: TraceSearch) -> None:
        search(traces, reading)
        monkeypatch.setattr(SqlPersonalData, "read", search)
        with closing(Table(tmp_path, "meanwhile")) as table:
            assert table.reply(table.emails_to(OTHER, "phase_results")[-1], f"SET HANDLE {new}")
            table.mail("stranger@players.example", f"Who is {FRANCE}?")

    monkeypatch.setattr(SqlPersonalData, "read", interrupted)
    told = run("forget", store, FRANCE, "--from-games", "--yes")

    assert told.exit_code == 0, told.output
    assert not found(store) & {FRANCE, OTHER, PRESS}
    assert not any(new.lower().encode() in each.lower() for each in stored_values(store))


def test_an_invalid_address_is_a_usage_error(played: Path) -> None:
    assert run("forget", played, "France").exit_code == 64


def test_a_store_in_use_is_cleaned_later(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0)  # how long it waits for other writers
    store = tmp_path / "judge.db"
    store.write_bytes(played.read_bytes())
    with closing(open_database(store)) as opened, opened.read() as transaction:
        assert transaction.events.games()
        told = run("forget", store, FRANCE, "--from-games", "--yes")

    assert told.exit_code == 69
    assert "repeat the command" in told.stderr
    assert run("forget", store, FRANCE, "--yes").exit_code == 0
    assert not found(store) & {FRANCE, OTHER, PRESS, HANDLE}


def test_nothing_is_left_in_the_files_of_a_server(
    played: Path, tmp_path: Path, postgres: Postgres
) -> None:
    store = postgres.empty()
    run("backup", played, str(tmp_path / "judge.gz"))
    run("restore", store, str(tmp_path / "judge.gz"))
    postgres.ask(store, "ANALYZE")
    assert on_disk(postgres, store) >= {FRANCE, PRESS}

    told = run("forget", store, FRANCE, "--from-games", "--yes")

    assert told.exit_code == 0, told.output
    assert on_disk(postgres, store) == set()


def test_a_store_being_written_is_not_rewritten(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0)
    store = tmp_path / "judge.db"
    store.write_bytes(played.read_bytes())
    with (
        closing(open_database(store)) as here,
        closing(open_database(store)) as there,
        there.write(),
    ):
        assert not here.compact()


def test_a_server_whose_tables_are_in_use_is_not_rewritten(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgresql.SESSION, "lock_timeout", "100ms")
    store = postgres.new()
    with (
        closing(open_database(store)) as here,
        closing(open_database(store)) as there,
        there.read() as transaction,
    ):
        assert transaction.inbox.entries() == []
        assert not here.compact()
