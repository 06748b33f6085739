"""The web servers of the desk and of the metrics.

Without the link a caller learns nothing, not even that there is a desk: all refusals are the same.
Another name that points here (DNS rebinding) is refused. A form posted from another site's page
has no cookie (SameSite), another Origin, and none of the secrets in our forms.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hmac import compare_digest
from importlib.metadata import version
from ipaddress import ip_address
from platform import python_version
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Self
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import uvicorn
from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from judge.app.admin.health import FIXES, Health, disk_trouble, examine
from judge.app.ports.database import Tally
from judge.app.ports.inbox import InboxState
from judge.app.ports.judge import Judge
from judge.app.store_trouble import reason_of
from judge.reports.render import trouble_texts
from judge.settings import LOOPBACK, Endpoint

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

STATES = {  # Without names of people, games or emails, which do not belong in labels.
    "judge_inbox_mails": "Incoming emails by state",
    "judge_outbox_mails": "Outgoing emails by state",
}
NUMBERS = {
    "judge_inbox_oldest_seconds": "Age of the oldest unprocessed email",
    "judge_outbox_oldest_seconds": "Age of the oldest email due to be sent",
    "judge_outbox_retried_mails": "Emails waiting to be retried",
    "judge_outbox_refused_mails": "Emails given up in the last day",
    "judge_last_tick_seconds": "Last activity of the judge, in Unix time",
    "judge_next_look_seconds": "Next scheduled event of a game, in Unix time; 0 if none",
    "judge_mailboxes_failing": "Mailboxes that cannot be read",
    "judge_troubles": "Problems that need attention; see `judge status`",
    "judge_backup_age_seconds": "Age of the last backup; infinite if there is none",
    "judge_store_damaged": "1 if the daily check found the database file damaged",
    "judge_store_bytes": "Size of the database",
}
COUNTERS = {
    "judge_emails_kept_total": "Incoming emails stored",
    "judge_emails_answered_total": "Incoming emails processed",
    "judge_emails_sent_total": "Outgoing emails that the mail server took",
    "judge_emails_given_up_total": "Outgoing emails given up",
    "judge_phases_closed_total": "Phases closed",
}
GAMES, BUILD = "judge_games", "judge_build_info"
METRICS = (*STATES, *NUMBERS, *COUNTERS, GAMES, BUILD)


class StoreCollector(Collector):
    """Collects the numbers at each request."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def collect(self) -> Iterator[Metric]:
        health = examine(self._judge)
        counted = (health.tally.inbox, health.tally.outbox)
        for (name, description), emails in zip(STATES.items(), counted, strict=True):
            yield _family(name, description, "state", emails)
        with self._judge.database.read() as transaction:
            numbers = (*_numbers(health), transaction.tallies.stored_bytes())
            found = transaction.summaries.counts()
        for (name, description), value in zip(NUMBERS.items(), numbers, strict=True):
            yield GaugeMetricFamily(name, description, value=value)
        counts = (*_counts(health.tally), found.phases_closed)
        for (name, description), value in zip(COUNTERS.items(), counts, strict=True):
            yield CounterMetricFamily(name, description, value=value)
        games = {stage.value: number for stage, number in found.stages.items()}
        yield _family(GAMES, "Games by stage", "stage", games)
        build = {"version": version("pbem-judge"), "python": python_version()}
        yield InfoMetricFamily(BUILD.removesuffix("_info"), "Version of the judge", value=build)


def _family(
    name: str, description: str, label: str, values: Mapping[str, int]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, description, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


class _ThreadingServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _SixServer(_ThreadingServer):
    address_family = socket.AF_INET6


class _SilentHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - an override
        """Log no requests."""


def serve_metrics(
    judge: Judge, where: Endpoint, hosts: Collection[str] = ()
) -> Callable[[], None]:
    """Serve metrics and health on *where*, in threads, until the returned function is called.

    *hosts* are the names, besides `localhost`, by which it may be asked. Raises `OSError` with
    the address as its file name.
    """
    registry = CollectorRegistry()
    registry.register(StoreCollector(judge))
    pages: Mapping[str, WSGIApplication] = {
        "/metrics": make_wsgi_app(registry),
        "/healthz": partial(_health_page, judge),
    }

    def page(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        known = _may_be_asked_as(environ.get("HTTP_HOST", ""), hosts)
        answer = pages.get(environ["PATH_INFO"], _no_page) if known else _wrong_host
        return answer(environ, start)

    kind = _SixServer if ":" in where.host else _ThreadingServer
    try:
        server = make_server(where.host, where.port, page, kind, _SilentHandler)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(where)) from error
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop


def _health_page(judge: Judge, _: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    try:
        if judge.trouble.since:  # Do not wait for what does not answer.
            why = _trouble("store_fails", judge.trouble.reason)
        else:
            found = examine(judge)
            troubles = (
                f"{name}: {found.explain(name)} ({FIXES[name]})" for name in found.troubles
            )
            tally = found.tally
            reasons = (each.reason for each in (*tally.unrendered, *tally.replaced))
            why = "; ".join([*troubles, *reasons])
    except Exception as error:  # noqa: BLE001 - whatever keeps the store from being read
        judge.operator_log.failed("health.failed", error)
        disk = disk_trouble(judge.database.disk_room())
        why = _trouble(disk or "store_fails", reason_of(error))
    return _text_page(start, "503 Service Unavailable" if why else "200 OK", why or "ok")


def _trouble(name: str, reason: str) -> str:
    return f"{name}: {trouble_texts()[name]}: {reason} ({FIXES[name]})"


HOST = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^\s:\[\]]+))(?::[0-9]{1,5})?")


def _may_be_asked_as(host: str, names: Collection[str]) -> bool:
    """Return whether a Host header names us: a page of another site names itself there.

    IP addresses are no names that others can let point here, and a browser always sends a Host.
    """
    if not host:
        return True
    found = HOST.fullmatch(host)
    name = (found[1] or found[2]).lower() if found else ""
    if name == "localhost" or name in names:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _wrong_host(_: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    return _text_page(start, "421 Misdirected Request", "this name is not in metrics_hosts")


def _no_page(_: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    return _text_page(start, "404 Not Found", "there are only /metrics and /healthz")


def _text_page(start: StartResponse, status: str, text: str) -> Iterable[bytes]:
    start(status, [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")])
    return [f"{text}\n".encode()]


def _numbers(health: Health) -> tuple[float, ...]:
    tally, made = health.tally, health.last_backup
    return (
        _age(tally.oldest_waiting, health.at),
        _age(tally.oldest_queued, health.at),
        tally.retried,
        tally.refused,
        _unix(health.last_tick),
        _unix(tally.games[0][1] if tally.games else None),
        sum(mailbox.failing_utc is not None for mailbox in health.mailboxes),
        len(health.troubles),
        _age(made, health.at) if made else float("inf"),
        "store_damaged" in health.troubles,
    )


def _counts(tally: Tally) -> tuple[int, ...]:
    return (
        sum(tally.inbox.values()),
        tally.inbox[InboxState.PROCESSED.value],
        sum(tally.outbox[state] for state in ("sent", "enclosed")),
        tally.outbox["given_up"],
    )


def _age(instant: datetime | None, now: datetime) -> float:
    return max(0.0, (now - instant).total_seconds()) if instant else 0.0


def _unix(instant: datetime | None) -> float:
    return instant.timestamp() if instant else 0.0


ENTER = "/enter/"
FORM = "application/x-www-form-urlencoded"
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # With `no-referrer`, browsers also hide from us which page posted a form (Fetch 3.1).
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass(frozen=True, slots=True)
class DeskKeys:
    """Three secrets: the *token* in the link, and the values of the *cookie* and each *form*."""

    token: str
    cookie: str
    form: str

    @classmethod
    def made_by(cls, nonce: Callable[[], str]) -> DeskKeys:
        """Make new secrets, valid while this desk is open."""
        return cls(nonce(), nonce(), nonce())

    def is_form(self, secret: str) -> bool:
        """Return whether *secret* is that of our forms."""
        return _same(secret, self.form)


class DeskGuard:
    """Passes permitted requests at *where* to *app*, and adds security headers to responses."""

    def __init__(self, app: ASGIApp, keys: DeskKeys, where: Endpoint) -> None:
        self._app = app
        self._keys = keys
        self._hosts = {str(where), f"localhost:{where.port}"}
        self._cookie = f"desk-{where.port}"  # cookies are not separated by port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope, receive)
        app = self._answer(request) or self._app
        await app(scope, receive, send_guarded)

    def _answer(self, request: Request) -> Response | None:
        if not self._is_ours(request):
            return _forbidden()
        if request.url.path.startswith(ENTER):
            return self._enter(request)
        if not _same(request.cookies.get(self._cookie, ""), self._keys.cookie):
            return _forbidden()
        return None

    def _is_ours(self, request: Request) -> bool:
        """Return whether the request is for us and, if it changes something, from our pages."""
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return False
        if request.method in ("GET", "HEAD"):
            return True
        site = request.headers.get("sec-fetch-site", "same-origin")
        from_us = request.headers.getlist("origin") == [f"http://{hosts[0]}"]
        is_form = request.headers.get("content-type", "").partition(";")[0].strip() == FORM
        return from_us and is_form and site == "same-origin"

    def _enter(self, request: Request) -> Response:
        if request.method != "GET" or not _same(
            request.url.path.removeprefix(ENTER), self._keys.token
        ):
            return _forbidden()
        answer = RedirectResponse("/", 303, {"Referrer-Policy": "no-referrer"})
        answer.set_cookie(
            self._cookie, self._keys.cookie, path="/", httponly=True, samesite="strict"
        )
        return answer


def _forbidden() -> Response:
    return PlainTextResponse("Forbidden\n", 403)


def _same(given: str, wanted: str) -> bool:
    return compare_digest(given.encode(), wanted.encode())


CONNECTIONS_MAX = 50
STOP_SECONDS = 3  # for open requests


class DeskServer:
    """Serves *app* at *where*, a loopback address, while the block runs.

    Requests are not logged: their addresses may contain the link. Raises `OSError` if the address
    is taken.
    """

    def __init__(self, app: ASGIApp, keys: DeskKeys, where: Endpoint) -> None:
        assert where.host in LOOPBACK, "the settings allow no other"
        family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
        self._socket = socket.create_server((where.host, where.port), family=family)
        self.where = Endpoint(where.host, self._socket.getsockname()[1])
        self._keys = keys
        self._server = uvicorn.Server(
            uvicorn.Config(
                DeskGuard(app, keys, self.where),
                http="h11",
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=CONNECTIONS_MAX,
                timeout_graceful_shutdown=STOP_SECONDS,
            )
        )
        self._thread = threading.Thread(target=self._run, name="desk")

    @property
    def link(self) -> str:
        """Return the secret link to the desk; anyone who has it acts as the moderator."""
        return f"http://{self.where}{ENTER}{self._keys.token}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))
