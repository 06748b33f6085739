"""Fixtures and hooks for all tests.

A test that needs a server which a machine may lack skips with a reason that starts with
"needs-server:"; `.ci/run` fails when one does.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy.dialects import registry

from judge.adapters.dkim_signing import DkimKeys
from judge.mail.intents import installed
from judge.mail.intents.training import train
from judge.mail.intents.weights import read_digest
from judge.mail.intents.wish_files import digest_of
from tests.support.daemon import QUICK, Daemon, seat
from tests.support.postgres import Postgres, postgresql

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("gate", UNHURRIED, derandomize=True, max_examples=50)
settings.register_profile("quick", UNHURRIED, derandomize=True, max_examples=15)
settings.register_profile("long", UNHURRIED, max_examples=2_000)
settings.load_profile("gate")

registry.register("sqlite", "tests.support.quick_sqlite", "SharingDialect")

os.umask(0o022)  # servers that run as other users read files of tests

# Tests start hundreds of interpreters, each of which would compile all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The README's command takes at most four minutes, and aims at two and a half: it leaves these to
# `.ci/run`, the longest as `--durations=0` shows them. It keeps one of each kind: real SMTP, a
# daemon that is killed.
GATE: Mapping[str, tuple[str, ...]] = {
    ".": ("browser", "e2e", "faults", "fuzz", "security", "upgrade"),
    "archive": ("exports", "round_trips"),
    "emails": ("generated", "returned_text"),
    "journeys": ("installed",),
    "properties": (
        *("archive_files", "game_properties", "imported_games", "json_properties"),
        *("naive_solver", "no_text_is_lost", "two_deadlines"),
    ),
    "unit/adapters": ("desk", "mail_sandbox", "reading_process", "sqlite"),
    "unit/app": (
        *("abuse", "blind_games", "center_charts", "command_effects", "cost_of_commands"),
        *("cost_of_reading", "deadlines_by_mail", "delivery", "digests", "email_parts"),
        *("future_orders_by_mail", "game_end_and_resignation", "imported_games_by_mail"),
        *("kinds_of_press_by_mail", "languages", "mailbox_that_misbehaves", "map_by_mail"),
        *("moderator_commands", "moderator_receipts", "names_and_addresses", "newcomers"),
        *("nothing_vanishes", "offered_orders", "press_or_orders", "rendering", "replay"),
        *("sender_recognition", "short_games_by_mail", "variants_by_mail"),
        *("waiting_list_by_mail", "wishes_by_mail", "witnesses", "year_by_mail", "zine"),
    ),
    "unit/archive": ("hostile_files", "readers/test_log.py"),
    "unit/cli": (
        *("adjudicate_jobs", "archive_index", "archive_jobs", "backup", "doctor"),
        "doctor_dns",
        *("files_and_streams", "forget", "game_moderation", "imported_games", "inbox"),
        *("moved_judge", "other_systems", "parquet", "published_log", "replay", "report"),
        "restored_backup",
    ),
    "unit/docs": ("recipes",),
    "unit/pictures": ("generating", "svg_board"),
}
NOT_GATE: Mapping[str, tuple[str, ...]] = {
    "e2e": ("serve",),
    "faults": ("clock", "one_deadline"),
    "security": ("s3_boundary", "s4_dkim", "s5_tokens", "s6_secrets", "smuggling"),
}
FOLDER = Path(__file__).parent
GARBAGE_MIN = 20_000  # new objects, before the garbage collector looks at them

DATC_TEST = "::test_comes_out_as_in_datc_3_2["


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a judge with the game `baltic` in Spring 1901, its daemon stopped.

    It is made once; each test copies it.
    """
    with Daemon(tmp_path_factory.mktemp("begun")) as daemon:
        daemon.start()
        seat(daemon, "baltic", *QUICK)
        daemon.come_to_rest()  # it draws the board, seven times
        daemon.stop()
        return daemon.folder


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Make SIGINT interrupt the processes that the test starts.

    A script that starts pytest in the background ignores SIGINT, and so do all processes below.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL server for the whole session."""
    with postgresql() as server:
        yield server


def paths_in(table: Mapping[str, tuple[str, ...]]) -> frozenset[Path]:
    """Return the files and folders in *table*: `desk` is the folder, or `test_desk.py`."""
    return frozenset(
        path if path.exists() else FOLDER / folder / f"test_{name}.py"
        for folder, names in table.items()
        for name in names
        for path in [FOLDER / folder / name]
    )


LEFT, KEPT = paths_in(GATE), paths_in(NOT_GATE)
NO_GATE = "not gate"  # the option -m of the README's command, and not that of `.ci/run`


@lru_cache
def is_named(file: Path, config: pytest.Config) -> bool:
    """Return whether the command line names *file*, or a test in it."""
    return file in {Path(each.partition("::")[0]).resolve() for each in config.args}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore the files left to `.ci/run`, unless they are named; importing them takes seconds."""
    if NO_GATE not in config.option.markexpr or collection_path.is_dir():
        return None
    paths = {collection_path, *collection_path.parents}
    is_left = paths & LEFT and not paths & KEPT and not is_named(collection_path, config)
    return True if is_left else None


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples of properties than `.ci/run`, and make the weights of wishes anew.

    They are made if their examples have changed since the installation.
    """
    if NO_GATE in config.option.markexpr and not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick")
    examples = installed.examples_folder()
    if hasattr(config, "workerinput") or read_digest(installed.OURS) == digest_of(examples):
        return
    installed.OURS.write_bytes(train(examples).to_bytes())


def pytest_xdist_auto_num_workers() -> int | None:
    """Return one process more than there are cores: tests wait for a third of their time.

    `PYTEST_XDIST_AUTO_NUM_WORKERS` names another number.
    """
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Keep the garbage collector from looking through all tests again and again.

    What a test leaves it may find later: at each 700 new objects it takes a twentieth of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(GARBAGE_MIN)
        gc.enable()


def pytest_unconfigure() -> None:
    """Give all objects back to the garbage collector: libraries report those that are left."""
    gc.unfreeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the cases marked `gate` of a file that is named."""
    for item in items:
        if is_named(item.path, config):
            item.own_markers[:] = [each for each in item.own_markers if each.name != "gate"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many cases of the DATC passed, and the measurements of tests.

    Here, since parallel runs see no other conftest.
    """
    passed, failed = (
        sum(DATC_TEST in report.nodeid for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed")
    )
    if passed or failed:
        cases = passed + failed
        terminalreporter.write_line(f"DATC 3.2: {passed} of {cases} cases passed")
    for report in terminalreporter.getreports("passed"):
        for name, figures in report.user_properties:
            terminalreporter.write_line(f"{name}: {figures}")


@pytest.fixture(scope="session")
def dkim_key(tmp_path_factory: pytest.TempPathFactory) -> DkimKeys:
    """A folder with one key, not to be changed."""
    keys = DkimKeys(tmp_path_factory.mktemp("made") / "dkim")
    keys.create(date(2026, 11, 23))
    return keys


@pytest.fixture
def keys(tmp_path: Path, dkim_key: DkimKeys) -> DkimKeys:
    """A folder with one key."""
    return DkimKeys(shutil.copytree(dkim_key.folder, tmp_path / "dkim"))
