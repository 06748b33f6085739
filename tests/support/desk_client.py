"""A running desk, and a client that reads its pages and submits its forms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from html import unescape
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

from judge.adapters.web.desk_app import Desk
from judge.adapters.web.servers import DeskKeys, DeskServer
from judge.app.admin import game_admin
from judge.app.ports.outbox import Failure
from judge.settings import Endpoint
from tests.support.daemon import PATIENCE_SECONDS
from tests.support.table import MODERATOR, Table

HIDDEN = re.compile(r'name="form" value="([^"]+)"')
POSTED = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True, slots=True)
class Page:
    """An answer of the desk."""

    status: int
    headers: Mapping[str, str]
    html: str

    @property
    def words(self) -> str:
        """Return what is to be read, without markup and line breaks."""
        shown = re.sub(r"<(?:title|svg).*?</(?:title|svg)>", "", self.html, flags=re.DOTALL)
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())


@dataclass
class Visitor:
    """Requests the pages of the desk at *where*; *link* contains its secret."""

    where: Endpoint
    link: str
    cookie: str = ""
    seen: list[str] = field(default_factory=list)

    def enter(self) -> Page:
        """Follow the link that the desk printed."""
        answer = self.get(urlsplit(self.link).path)
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return self.get(answer.headers["location"])

    def get(self, path: str, **headers: str) -> Page:
        """Ask for a page; *headers* have `_` for `-`."""
        return self.send("GET", path, None, **headers)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Page:
        """Send a form as a page of ours would, but for its secret, which *fields* have or lack."""
        ours = {"Origin": f"http://{self.where}", **POSTED}
        return self.send("POST", path, urlencode(fields), **(ours | headers))

    def send(self, method: str, path: str, body: str | None, **headers: str) -> Page:
        """Send a request and return its answer, which is not followed."""
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        told.setdefault("Host", str(self.where))
        if self.cookie:
            told.setdefault("Cookie", self.cookie)
        connection = HTTPConnection(self.where.host, self.where.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, path, body, told)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
            headers_told = {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()
        self.seen.append(text)
        return Page(answer.status, headers_told, text)

    def secret(self) -> str:
        """Return what the forms of the desk carry."""
        found = HIDDEN.search(self.get("/games/baltic").html)
        assert found
        return found[1]

    def ask(self, what: str, **fields: str) -> Page:
        """Ask for something, and return the page that says what it will do."""
        answer = self.post(f"/ask/{what}", {"form": self.secret(), **fields})
        return self.get(answer.headers["location"]) if answer.status == 303 else answer

    def do(self, what: str, **fields: str) -> Page:
        """Ask for something, say yes, and return what is said of it then."""
        asked = self.ask(what, **fields)
        found = re.search(r'action="(/actions/[^"]+)"', asked.html)
        assert found, asked.words
        done = self.post(found[1], {"form": self.secret()})
        return self.get(done.headers["location"])


HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">'
TOO_LARGE = f"From: {HOSTILE} <a@x.example>\nSubject: {HOSTILE}\n\n{HOSTILE}\n" + "HELP\n" * 60_000


def set_the_scene(table: Table) -> None:
    """Set up the typical tasks of a moderator's morning."""
    table.start("adria", "anonymous=yes", moderator=MODERATOR)
    table.start("baltic", moderator=MODERATOR)
    table.open("cyclades")
    table.send("ITALY", f"PRESS TO ALL\nLet us all be friends. {HOSTILE}\nENDPRESS")
    table.send("FRANCE", "A Par-Bur\nF Bre-Mao\nA Mar S A Par-Bur")
    table.send("GERMANY", "A Mun-Bur\nF Kie-Den")
    game_admin.close_phase_now(table.judge, "baltic", "S1901M")
    for power in ("FRANCE", "TURKEY", "ENGLAND"):
        table.send(power, "A Bur H" if power == "FRANCE" else "A Con H\nA Lvp H")
    table.store_email(TOO_LARGE.encode())
    table.run_once()
    fail(table)


def fail(table: Table) -> None:
    """Make some emails be sent, one bounce, one wait and one be given up."""
    table.render()
    with table.database.write() as transaction:
        outbox, now = transaction.outbox, table.clock.now()
        *rest, returned, later, lost = outbox.due(now, 1_000)
        for mail in (*rest, returned):
            outbox.sent([mail.message_id], now)
        outbox.bounced(returned.message_id, now)
        outbox.postpone(
            later.message_id, now + timedelta(minutes=9), Failure("451 4.3.0 later", now)
        )
        outbox.give_up(lost.message_id, Failure(f"550 5.1.1 no such mailbox {HOSTILE}", now))


@contextmanager
def desk(table: Table, moderator: str | None = None) -> Iterator[Visitor]:
    """Open the desk of the judge at *table*; *moderator* is an address."""
    with table.database.read() as transaction:
        person = transaction.people.by_address(moderator) if moderator else None
    keys = DeskKeys.made_by(table.judge.random.nonce)
    app = Desk(table.judge, keys, person).app()
    with DeskServer(app, keys, Endpoint("127.0.0.1", 0)) as server:
        yield Visitor(server.where, server.link)
