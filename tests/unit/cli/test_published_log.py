"""`judge log publish`, and `judge log verify --log` against a folder and a website."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.adapters.store import transactions
from judge.app.admin.erase_person import erase_person
from judge.checkpoints import StoredCheckpoint
from judge.cli.root import root
from judge.event_log import persons_in
from tests.support.table import POWERS, Table, address_of, parse_email

FRANCE = address_of("FRANCE")
GAMES = {
    "baltic": ("anonymous=yes",),
    "hidden": ("listed=no",),
    "closed": ("observers=no",),
    "foggy": ("blind=yes",),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Return a judge with public and hidden games, each with a closed phase."""
    with closing(Table(tmp_path_factory.mktemp("published"))) as judge:
        for game, rules in GAMES.items():
            judge.start(game, *rules)
        judge.want_proofs("FRANCE")
        judge.send("FRANCE", "A Par H")
        judge.send("FRANCE", "PRESS TO ENGLAND\nTrust me.\nENDPRESS")
        for game in GAMES:
            judge.close_phase(game)
        judge.send("FRANCE", "A Par-Gas")
        judge.send("FRANCE", "A Par-Gas", "hidden")
        yield judge


def run(*words: str) -> Result:
    return CliRunner().invoke(root, words)


def publish(table: Table, folder: Path) -> Result:
    return run("log", "publish", str(folder), "--database", str(table.file))


@pytest.fixture
def folder(table: Table, tmp_path: Path) -> Path:
    assert publish(table, tmp_path / "log").exit_code == 0
    return tmp_path / "log"


def test_a_log_with_zeros_from_a_loss_of_power_is_written_anew(table: Table, folder: Path) -> None:
    log = folder / "log.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole[:500] + bytes(4096) + whole[4596:])

    done = publish(table, folder)

    assert done.exit_code == 0
    assert done.stderr == f"{folder} was damaged by a loss of power: it is written anew\n"
    assert log.read_bytes() == whole
    assert publish(table, folder).stderr == ""


def test_a_log_is_published_without_loading_all_checkpoints(
    table: Table, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, at_once = transactions._stored, []

    def counted(row: Any) -> StoredCheckpoint:  # noqa: ANN401 - a row of the store
        made = stored(row)
        at_once.append(sum(isinstance(each, StoredCheckpoint) for each in gc.get_objects()))
        return made

    monkeypatch.setattr(transactions, "_stored", counted)
    for _ in range(2):
        assert publish(table, folder).exit_code == 0

    with table.database.read() as transaction:
        assert len([*transaction.checkpoints.all()]) == len(GAMES)
    assert max(at_once[: -len(GAMES)]) < len(GAMES)


def test_a_first_log_with_nothing_but_zeros_is_written_anew(table: Table, folder: Path) -> None:
    log, checkpoints = folder / "log.jsonl", folder / "checkpoints.jsonl"
    whole = log.read_bytes(), checkpoints.read_bytes()
    log.write_bytes(bytes(4096))
    checkpoints.unlink()

    assert publish(table, folder).exit_code == 0
    assert (log.read_bytes(), checkpoints.read_bytes()) == whole


def test_a_first_log_whose_checkpoints_did_not_reach_the_disk_is_written_anew(
    table: Table, folder: Path
) -> None:
    log, checkpoints = folder / "log.jsonl", folder / "checkpoints.jsonl"
    whole = log.read_bytes(), checkpoints.read_bytes()
    checkpoints.write_bytes(bytes(len(whole[1])))

    assert publish(table, folder).exit_code == 0
    assert (log.read_bytes(), checkpoints.read_bytes()) == whole


def test_a_damaged_log_of_another_judge_is_left_alone(table: Table, folder: Path) -> None:
    for name in ("log.jsonl", "checkpoints.jsonl"):
        (folder / name).write_bytes(b'{"leaf": "AAAA"}' + bytes(4096))

    done = publish(table, folder)

    assert done.exit_code == 1
    assert "has nothing of this judge" in done.stderr
    assert bytes(4096) in (folder / "log.jsonl").read_bytes()


@pytest.fixture
def emails(table: Table, tmp_path: Path) -> tuple[str, ...]:
    """Save the results and receipts of France in one game as files, and return them."""
    kept = table.query(
        "SELECT id, raw FROM outbox WHERE recipient LIKE 'france@%' AND game = 'baltic'"
    )
    found = []
    for number, raw in kept:
        if b"judge-proof.json" in raw:
            file = tmp_path / f"{number}.eml"
            file.write_bytes(raw)
            found.append(str(file))
    return tuple(found)


def test_only_events_that_are_public_in_games_that_are_public_are_written_out(
    table: Table, folder: Path
) -> None:
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]

    events = [line["event"] for line in lines if "event" in line]
    assert {(event["game"], event["type"]) for event in events} == {
        ("baltic", "phase_opened"),
        ("baltic", "phase_closed"),
    }
    assert all(line.keys() == {"leaf"} for line in lines if "event" not in line)
    assert len(lines) == sum(
        next(row.version for row in table.log(game) if type(row.event).__name__ == "PhaseClosed")
        for game in GAMES
    )


def test_nothing_secret_is_published(table: Table, folder: Path) -> None:
    text = "".join(each.read_text() for each in folder.iterdir())

    persons = {each for game in GAMES for each in persons_in(e.event for e in table.log(game))}
    assert persons
    with table.database.read() as transaction:
        secrets = transaction.secrets
        keys = [key.hex() for key in (secrets.token_key(), secrets.log_key(), secrets.leaf_key())]
    hidden = [
        *persons,
        *keys,
        *map(address_of, POWERS),
        "hidden",
        '"closed"',
        "foggy",
        "A PAR - GAS",
    ]
    assert [each for each in hidden if each in text] == []


def test_a_player_checks_their_emails_with_the_published_log_alone(
    folder: Path, emails: tuple[str, ...], tmp_path: Path
) -> None:
    config = tmp_path / "judge.toml"
    config.touch()

    found = run("log", "verify", "--log", str(folder), *emails, "--config", str(config))

    assert found.exit_code == 0, found.output
    assert "are event" in found.output
    assert "as in the log" in found.output
    assert "not in the log before the phase closes" in found.output
    as_json = run("log", "verify", "--log", str(folder), *emails, "--json")
    assert not any(json.loads(line)["wrong"] for line in as_json.output.splitlines())


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def test_the_log_is_read_from_the_web(folder: Path, emails: tuple[str, ...]) -> None:
    with served(folder) as address:
        found = run("log", "verify", "--log", address, *emails)
        missing = run("log", "verify", "--log", f"{address}elsewhere", *emails)

    assert found.exit_code == 0, found.output
    assert missing.exit_code == 69


def test_a_player_who_is_forgotten_leaves_the_log_as_it_was(
    table: Table, folder: Path, emails: tuple[str, ...]
) -> None:
    erase_person(table.judge, address_of("ITALY"), from_games=True, really=True)

    assert publish(table, folder).exit_code == 0
    assert run("log", "verify", "--log", str(folder), *emails).exit_code == 0


def test_a_line_that_was_not_written_to_its_end_is_written_again(
    table: Table, folder: Path
) -> None:
    file = folder / "log.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])

    assert publish(table, folder).exit_code == 0

    assert file.read_bytes() == whole


@pytest.mark.parametrize(
    "line", ["[]", "{", '{"leaf": 1}', '{"salt": "zz", "event": {}}', "[" * 9999]
)
@pytest.mark.parametrize("name", ["log.jsonl", "checkpoints.jsonl"])
def test_a_file_that_is_no_log_is_refused(name: str, line: str, folder: Path) -> None:
    with (folder / name).open("a") as file:
        file.write(f"{line}\n")

    found = run("log", "verify", "--log", str(folder))

    assert found.exit_code == 65
    assert f"of {name} is not from a published log" in found.output


BELL = "\x07"  # click itself removes escape sequences where none are wanted


def changed_tree(proof: dict[str, Any]) -> None:
    proof["tree"]["leaves"].reverse()


def changed_size(proof: dict[str, Any]) -> None:
    proof["tree"]["size"] = 1


def negative_size(proof: dict[str, Any]) -> None:
    proof["tree"] |= {"size": -1, "nodes": ["AAAA"]}


def changed_signature(proof: dict[str, Any]) -> None:
    proof["checkpoint"] = proof["checkpoint"].replace("judge ", "judge A")


def changed_key(proof: dict[str, Any]) -> None:
    proof["key"] = "nobody"


def changed_orders(proof: dict[str, Any]) -> None:
    proof["commitments"][0]["digest"] = "00" * 32
    proof["game"] = BELL


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (changed_tree, "contradicts itself"),
        (changed_size, "no tree of that size"),
        (negative_size, "no tree of that size"),
        (changed_signature, "not signed by this log"),
        (changed_key, "not signed by this log"),
        (changed_orders, "its orders are not those in"),
    ],
)
def test_a_changed_attachment_is_found(
    change: Callable[[dict[str, Any]], None],
    told: str,
    folder: Path,
    emails: tuple[str, ...],
    tmp_path: Path,
) -> None:
    attached = [each for each in map(proof_of, emails) if '"checkpoint"' in each]
    read = json.loads(attached[0])
    change(read["proofs"][0])
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(read), encoding="utf-8")

    found = run("log", "verify", "--log", str(folder), str(file))

    assert found.exit_code in (1, 65)
    assert told in found.output
    assert BELL not in found.output


def proof_of(file: str) -> str:
    return parse_email(Path(file).read_bytes()).proof


@pytest.mark.parametrize(
    "text", ["Subject: Hello\n\nNothing of a log.", '{"proofs": [{"checkpoint": ""}]}']
)
def test_emails_without_a_proof_are_refused(text: str, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "hello.eml"
    file.write_text(text, encoding="utf-8")

    found = run("log", "verify", "--log", str(folder), str(file))

    assert found.exit_code != 0
    assert "cannot be read" in found.output or "none of the emails" in found.output


def test_games_and_a_published_log_are_not_compared(folder: Path) -> None:
    assert run("log", "verify", "baltic", "--log", str(folder)).exit_code == 64


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("checkpoint", "\N{EM DASH} ", "\N{EM DASH} not "), ("key", "+", "+0")],
)
def test_a_published_checkpoint_without_the_signature_of_its_key_is_found(
    name: str, old: str, new: str, folder: Path
) -> None:
    file = folder / "checkpoints.jsonl"
    *before, last = file.read_text(encoding="utf-8").splitlines()
    changed = json.loads(last)
    changed[name] = changed[name].replace(old, new, 1)
    file.write_text("\n".join([*before, json.dumps(changed), ""]), encoding="utf-8")

    found = run("log", "verify", "--log", str(folder))

    assert found.exit_code == 1
    assert "has no valid signature" in found.output


def test_a_published_checkpoint_of_other_events_is_found(folder: Path) -> None:
    leaves = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    (folder / "log.jsonl").write_text("\n".join([*leaves[1:], leaves[0], ""]), encoding="utf-8")

    found = run("log", "verify", "--log", str(folder))

    assert found.exit_code == 1
    assert f"its checkpoint of {len(leaves)} events is not of these events" in found.output


def test_two_lines_of_one_size_are_compared_even_without_the_subjects_of_their_emails(
    folder: Path, tmp_path: Path
) -> None:
    """A player sends another only the text of their results."""
    lines = [f"Log: 7 {letter * 43}=" for letter in "AE"]
    files = [tmp_path / f"{number}.eml" for number in range(2)]
    for file, line in zip(files, lines, strict=True):
        file.write_text(f"Subject: Fwd: look\n\n{line}\n", encoding="utf-8")

    found = run("log", "verify", "--log", str(folder), *map(str, files))

    assert found.exit_code == 1
    assert f"{files[1]}: WRONG: it shows another log than {files[0]}" in found.output


EVENT = {"version": 1, "type": "phase_closed", "recorded_utc": ""}


@pytest.mark.parametrize(
    "payload",
    [
        {"commitments": 5},
        {"commitments": {"FRANCE": 5}},
        {"commitments": {"FRANCE": {}}},
        {"phase": "S1901M", "commitments": {"FRANCE": 5}},
        {"phase": "S1901M", "commitments": {"FRANCE": {}}},
    ],
    ids=str,
)
def test_a_hostile_log_does_not_end_the_check(
    payload: dict[str, object], folder: Path, emails: tuple[str, ...]
) -> None:
    event = {**EVENT, "game": "x", "payload": payload}
    count = len((folder / "log.jsonl").read_text(encoding="utf-8").splitlines())
    lines = [json.dumps({"salt": "00", "event": event})] * count
    (folder / "log.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")

    found = run("log", "verify", "--log", str(folder), *emails)

    assert found.exit_code == 1, found.exception
    assert "the first event that differs" in found.output


@pytest.mark.parametrize("value", ['"\\ud800"', "NaN", "1e999"])
def test_an_event_that_cannot_be_written_is_no_proof(
    value: str, folder: Path, tmp_path: Path
) -> None:
    event = {**EVENT, "game": "baltic", "payload": {"phase": "S1901M", "value": 0}}
    del event["version"]
    proof = {"proofs": [{"game": "x", "recorded": [{"salt": "00", "event": event}]}]}
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps(proof).replace('"value": 0', f'"value": {value}'))

    found = run("log", "verify", "--log", str(folder), str(file))

    assert isinstance(found.exception, SystemExit)
    assert (found.exit_code, found.output.count("\n")) == (65, 1)
