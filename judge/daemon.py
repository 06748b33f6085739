"""Assemble the daemon: open every adapter, and run until stopped.

Three things run side by side: the servers store what arrives (on the event loop and one writing
thread), the judge processes it (on one thread, woken by email and by the timer), and the carrier
sends what was committed (on the event loop). They share only the database, so any of them may die
at any moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING

from judge.adapters import service
from judge.adapters.crypto import Argon2Passwords, FernetEncryption, SystemRandomness
from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.inputs.listeners import Inputs, Servers, account_of
from judge.adapters.mail_sandbox import MailSandbox
from judge.adapters.outputs import ReplaceableCarrier, carrier_of
from judge.adapters.picture_painting import PaintingProcess
from judge.adapters.reading_process import ReadingProcess
from judge.adapters.service import OperatorLog, SystemdNotifier
from judge.adapters.store.database import DaemonLock, DailyFileCheck, check_file, open_database
from judge.adapters.store.sqlite import NotCheckedError, end_as_damaged
from judge.adapters.store.traces import traces_of_judge
from judge.adapters.store.transactions import SqlDatabase
from judge.adapters.system_clock import SystemClock, Ticker
from judge.adapters.variant_files import InstalledVariants, load_art, load_map
from judge.app import store_trouble
from judge.app.admin.health import FIXES, disk_trouble, examine
from judge.app.admin.inbox_admin import empty_old_mail, forget_ended_games
from judge.app.admin.operator_note import write_note
from judge.app.commands.answers import finished_pages
from judge.app.commands.table import COMMANDS
from judge.app.deadlines import note_wake_up
from judge.app.game.summaries import fill_summaries
from judge.app.loop import Loop
from judge.app.outbound.delivery import Carrier, DeliveryQueue
from judge.app.ports.judge import Judge, Signatures
from judge.app.ports.people import MailForm
from judge.checkpoints import read_witness
from judge.errors import JudgeError
from judge.reports.render import trouble_texts
from judge.settings import NOT_OF_DAEMONS, RELOADED, DatabaseServer, Settings

if TYPE_CHECKING:
    from judge.adapters.inputs.imap import ImapPoller

WATCH_SECONDS = 60.0  # between two looks for troubles
WAKING_SECONDS = 0.5  # between two tries, while another judge starts on the same database


@dataclass(frozen=True, slots=True)
class ListeningAddress:
    """The address where the daemon takes mail by SMTP; None without SMTP."""

    smtp: tuple[str, int] | None


def judge_of(settings: Settings, database: SqlDatabase) -> Judge:
    """Return a judge with the daemon's adapters."""
    return Judge(
        database=database,
        boards=load_map,
        arts=load_art,
        variants=InstalledVariants(),
        form=MailForm(settings.mail_form),
        clock=database.clock(),
        random=SystemRandomness(),
        encryption=FernetEncryption(),
        passwords=Argon2Passwords(),
        operator_log=OperatorLog(),
        commands=COMMANDS,
        pages_of=finished_pages,
        address=settings.address,
        delimiter=settings.recipient_delimiter,
        code=settings.judge_code,
        authserv_id=settings.authserv_id,
        signatures=_dkim() if settings.verify_dkim else None,
        witnesses=tuple(map(read_witness, settings.witnesses)),
        operator_address=settings.operator_address,
    )


def _dkim() -> Signatures:
    from judge.adapters.dkim_verifying import DkimVerifier  # noqa: PLC0415 - most judges leave it to a server

    return DkimVerifier()


class TurnRunner:
    """The judge's own thread: runs a turn when woken, when a game is due, and at each tick.

    *done* is called after each turn, and after each part of a long one: emails may be ready to
    send. So is *alive*, from the first turn on and after one that failed from the next that
    succeeds.
    """

    def __init__(
        self,
        judge: Judge,
        clock: SystemClock,
        done: Callable[[], None],
        tick_seconds: float,
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        self._judge = judge
        self._clock = clock
        self._loop = Loop(judge, clock, timedelta(seconds=tick_seconds))
        self._done, self._alive = done, alive
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._works = True
        self._thread = threading.Thread(target=self._run, name="judge")

    def start(self) -> None:
        """Start, with a first turn at once."""
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """Run a turn soon: there may be work."""
        self._woken.set()

    def run_soon(self, job: Callable[[], None]) -> None:
        """Run *job* between two turns."""
        self._jobs.put(job)
        self._woken.set()

    def change(self, judge: Judge, tick_seconds: float) -> None:
        """Continue as *judge*; call it between two turns."""
        self._loop.change(judge, timedelta(seconds=tick_seconds))

    def stop(self) -> None:
        """Finish the current part of the turn; the rest can wait."""
        self._stopping.set()
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        rest: float | None = None
        while not self._stopping.is_set():
            self._woken.wait(rest)
            self._woken.clear()
            try:
                while not self._jobs.empty():
                    self._jobs.get()()
                self._clock.synchronize()
                works = self._loop.run(self._pause)
                left = self._loop.time_to_next()
                rest = left.total_seconds() if left else None
                self._works = works
            except Exception as error:  # noqa: BLE001 - nothing was committed; the next tick retries
                self._works = False
                store_trouble.log_failure(self._judge, "turn.failed", error)
            self._tell()

    def _pause(self) -> bool:
        self._tell()
        return self._stopping.is_set()

    def _tell(self) -> None:
        self._done()
        if self._works:
            self._alive()


MISSED_KEPT = timedelta(days=30)  # sentences that were not understood


class DailyCleaner:
    """Removes unspent budgets, old sentences that were not understood, and the text of old emails.

    That is of those older than *days*; 0 keeps it forever.
    """

    def __init__(self, judge: Judge, days: int) -> None:
        self._judge = judge
        self.days = days
        self._stopped = threading.Event()

    def tidy(self) -> None:
        """Remove what is no longer needed."""
        judge = self._judge
        try:
            with judge.database.write() as transaction:
                now = judge.clock.now()
                transaction.budgets.forget_unspent(now)
                transaction.missed.forget(now - MISSED_KEPT)
            if self.days:
                age = timedelta(days=self.days)
                empty_old_mail(judge, age, lambda: not self._stopped.is_set())
                forget_ended_games(judge, age, lambda: not self._stopped.is_set())
        except Exception as error:  # noqa: BLE001 - the rest is retried tomorrow
            judge.operator_log.failed("retention.failed", error)

    def stop(self) -> None:
        """Stop soon, even half-way."""
        self._stopped.set()


class StoreWatch:
    """Ends the daemon if the file of *database* is damaged; a server checks its own files."""

    def __init__(self, judge: Judge, database: Path | DatabaseServer) -> None:
        self._judge = judge
        self._check = DailyFileCheck(database) if isinstance(database, Path) else None

    def look(self) -> None:
        """Check the file; if it is damaged, `judge status` knows, and the daemon ends."""
        if self._check is None:
            return
        judge = self._judge
        try:
            fault = self._check.fault()
            try:
                self.record(judge.clock.now() if fault else None)
            finally:
                if fault:
                    end_as_damaged(fault)
        except NotCheckedError as error:
            judge.operator_log.note("store.not_checked", reason=str(error))
        except Exception as error:  # noqa: BLE001 - the next day it is checked again
            judge.operator_log.failed("store.check_failed", error)

    def record(self, damaged_since: datetime | None) -> None:
        """Record for `judge status` whether the store is damaged."""
        with self._judge.database.write() as transaction:
            if (transaction.agenda.store_damaged_since() is None) != (damaged_since is None):
                transaction.agenda.set_store_damaged(damaged_since)

    def stop(self) -> None:
        """End a running check soon."""
        if self._check:
            self._check.stop()


class TroubleWatch:
    """Reports in the log which troubles of `judge status` begin and end, and in the daily note.

    It looks once a minute, after *wake*, which it calls at each tick.
    """

    def __init__(self, judge: Judge, wake: Callable[[], None]) -> None:
        self._judge, self._wake = judge, wake
        self._known = frozenset[str]()
        self._looked = float("-inf")

    def tick(self) -> None:
        """Wake the judge, and look if it is time."""
        self._wake()
        with contextlib.suppress(Exception):  # A turn that fails too says why.
            self._judge.database.settle()
        if monotonic() - self._looked >= WATCH_SECONDS:
            self._looked = monotonic()
            try:
                self.look()
            except Exception as error:  # noqa: BLE001 - no more ticks would come
                self._judge.operator_log.failed("watch.failed", error)

    def look(self) -> None:
        """Log what has changed since the last look."""
        log = self._judge.operator_log
        store_trouble.look(self._judge)
        try:
            found = examine(self._judge)
            troubles = frozenset(found.troubles) - {"not_running"}
            texts = {name: found.explain(name) for name in troubles}
            reports = {name: found.report(name) for name in troubles}
        except Exception:  # noqa: BLE001 - what fails is logged where it fails
            disk = disk_trouble(self._judge.database.disk_room())
            troubles = self._known | ({disk} if disk else frozenset())
            reports = texts = {name: trouble_texts()[name] for name in troubles}
        for name in sorted(troubles - self._known):
            log.warning("trouble", name=name, text=texts[name], advice=FIXES[name])
        for name in sorted(self._known - troubles):
            log.note("trouble.over", name=name)
        self._known = troubles
        try:
            write_note(self._judge, reports)
        except Exception as error:  # noqa: BLE001 - a store that is in trouble may not take it
            log.failed("note.failed", error)


@dataclass(frozen=True, slots=True)
class SettingsReload:
    """Functions that read settings again, and use the templates and variants that they name.

    Either raises `ConfigurationError`, and then changes nothing.
    """

    read: Callable[[], Settings]
    take: Callable[[Settings], None]


@dataclass(slots=True)
class Reloader:
    """Applies changed settings to a running daemon when they are read *again*."""

    settings: Settings
    again: SettingsReload
    judge: Judge
    turn_runner: TurnRunner
    ticker: Ticker
    cleaner: DailyCleaner
    carrier_slot: ReplaceableCarrier
    systemd: SystemdNotifier
    poller: ImapPoller | None = None

    def reload(self) -> None:
        """Apply the changed settings, all or none; call it between turns."""
        self.systemd.reloading()
        try:
            fresh = self.again.read()
            carrier = carrier_of(fresh)
            account = account_of(fresh)
            self.again.take(fresh)
        except (JudgeError, OSError) as error:
            self.judge.operator_log.warning("reload.refused", reason=str(error))
        else:
            self._apply(fresh, carrier)
            if self.poller and account and account.name == self.poller.mailbox:
                self.poller.change(account)
            self._log_changes(fresh)
        finally:
            self.systemd.ready()

    def _apply(self, fresh: Settings, carrier: Carrier) -> None:
        service.set_up_logging(fresh.log_level, fresh.log_format)
        self.judge = replace(
            self.judge,
            form=MailForm(fresh.mail_form),
            authserv_id=fresh.authserv_id,
            signatures=_dkim() if fresh.verify_dkim else None,
            witnesses=tuple(map(read_witness, fresh.witnesses)),
            operator_address=fresh.operator_address,
        )
        self.turn_runner.change(self.judge, fresh.tick_seconds)
        self.ticker.change(fresh.tick_seconds)
        self.cleaner.days = fresh.keep_mail_days
        self.carrier_slot.change(carrier)

    def _log_changes(self, fresh: Settings) -> None:
        changed = {
            name
            for name in Settings.model_fields.keys() - NOT_OF_DAEMONS
            if getattr(fresh, name) != getattr(self.settings, name)
        }
        taken = {name: getattr(fresh, name) for name in RELOADED}
        self.settings = self.settings.model_copy(update=taken)
        if changed - RELOADED:
            needing = " ".join(sorted(changed - RELOADED))
            self.judge.operator_log.warning("reload.needs_restart", settings=needing)
        self.judge.operator_log.note("reload.done", changed=" ".join(sorted(changed & RELOADED)))


async def serve(
    settings: Settings, listening: Callable[[ListeningAddress], None], again: SettingsReload
) -> None:
    """Run until SIGTERM or SIGINT; call *listening* once emails can arrive.

    SIGHUP reads the settings *again*. Raises `JudgeError` if another daemon runs on the same file,
    or the store cannot be opened.
    """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until the daemon can reload
    with contextlib.ExitStack() as stack:
        if isinstance(settings.database, Path):  # On a server several judges may run.
            stack.enter_context(DaemonLock(settings.database))
            check_file(settings.database)
        database = stack.enter_context(contextlib.closing(open_database(settings.database)))
        database.guard()
        opener = stack.enter_context(contextlib.closing(MailSandbox()))
        reader = stack.enter_context(contextlib.closing(ReadingProcess()))
        painter = stack.enter_context(contextlib.closing(PaintingProcess()))
        ways = Inputs()
        clock = database.clock()
        judge = replace(
            judge_of(settings, database),
            clock=clock,
            opener=opener,
            reader=reader,
            painter=painter,
            inputs=ways,
        )
        _tell_if_lost(settings, judge)
        fill_summaries(judge)
        reader.start()  # so that it is ready for the first email
        while not note_wake_up(judge):  # noqa: ASYNC110 - the other judge cannot set an event of ours
            await asyncio.sleep(WAKING_SECONDS)
        if settings.metrics:
            from judge.adapters.web.servers import serve_metrics  # noqa: PLC0415 - few judges do

            stack.callback(serve_metrics(judge, settings.metrics, settings.metrics_hosts))
        await _run(settings, judge, clock, ways, listening, again)


def _tell_if_lost(settings: Settings, judge: Judge) -> None:
    """Warn of an empty store in a folder where a judge has been."""
    with judge.database.read() as transaction:
        is_new = transaction.agenda.last_heartbeat() is None and not transaction.events.games()
    if is_new and isinstance(settings.database, Path):
        found = [*traces_of_judge(settings, settings.database, judge.clock.now())]
        if found:
            judge.operator_log.warning(
                "store.empty",
                text=f"the store has no games, but there are {', '.join(found)}",
                advice="if games are missing, stop the judge and restore a backup",
            )


async def _run(
    settings: Settings,
    judge: Judge,
    clock: SystemClock,
    ways: Inputs,
    listening: Callable[[ListeningAddress], None],
    again: SettingsReload,
) -> None:
    loop = asyncio.get_running_loop()
    stop_requested = _heed_signals(loop)
    outgoing = asyncio.Event()
    systemd = SystemdNotifier(os.environ)

    def after_turn() -> None:
        loop.call_soon_threadsafe(outgoing.set)

    turn_runner = TurnRunner(judge, clock, after_turn, settings.tick_seconds, systemd.alive)
    group_commit = GroupCommit(
        judge.database, clock, turn_runner.wake, judge.trouble, clock.translated
    )
    servers = Servers(settings, group_commit)
    poller = ways.watch(settings, judge.database, judge.clock, group_commit)
    cleaner = DailyCleaner(judge, settings.keep_mail_days)
    store_watch = StoreWatch(judge, settings.database)
    store_watch.record(None)  # it has just been checked
    ticker = Ticker(
        TroubleWatch(judge, turn_runner.wake).tick,
        settings.tick_seconds,
        cleaner.tidy,
        store_watch.look,
    )
    carrier_slot = ReplaceableCarrier(carrier_of(settings))
    sending = asyncio.create_task(DeliveryQueue(judge, carrier_slot).run(outgoing))
    reloader = Reloader(
        settings, again, judge, turn_runner, ticker, cleaner, carrier_slot, systemd, poller
    )
    loop.add_signal_handler(signal.SIGHUP, turn_runner.run_soon, reloader.reload)
    turn_runner.start()
    ticker.start()
    try:
        listening(ListeningAddress(await servers.open()))
        if poller:
            poller.start()
        systemd.ready()
        await stop_requested.wait()
    finally:
        systemd.stopping()
        _end_in_time(judge)
        await servers.close()
        if poller:
            await asyncio.to_thread(poller.stop)
        cleaner.stop()
        store_watch.stop()
        await asyncio.to_thread(ticker.stop)
        await asyncio.to_thread(turn_runner.stop)
        await asyncio.to_thread(group_commit.close)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


STOPPING_SECONDS = 8.0  # then the daemon ends as it is, as it may at any moment


def _end_in_time(judge: Judge) -> None:
    """End this process even if the store, a mail server or a mailbox keeps it waiting."""

    def end() -> None:
        judge.operator_log.warning("stop.forced", seconds=round(STOPPING_SECONDS))
        os._exit(0)

    timer = threading.Timer(STOPPING_SECONDS, end)
    timer.daemon = True
    timer.start()


def _heed_signals(loop: asyncio.AbstractEventLoop) -> asyncio.Event:
    signaled = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signaled.set)
    return signaled
