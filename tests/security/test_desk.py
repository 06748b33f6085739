"""The desk reveals nothing without its link, and shows no moderator what they may not see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest

from judge.adapters.web.servers import HEADERS
from judge.app.admin import game_admin
from judge.app.ports.inbox import InboxState
from judge.game.moderator_actions import OrdersViewed
from tests.support.desk_client import HOSTILE, POSTED, Visitor, desk, set_the_scene
from tests.support.table import MODERATOR, Table, address_of

PAGES = (
    "/",
    "/games/baltic",
    "/games/baltic/orders",
    "/games/baltic/replay",
    "/games/baltic/board-light.svg",
    "/games/baltic/board-dark.svg",
    "/mails",
    "/mails?game=baltic",
    "/mails?way=sent",
    "/inbox",
    "/inbox?state=quarantined",
    "/inbox/1",
    "/status",
    "/actions/0",
    "/actions/0/kept",
    "/desk.css",
    "/icon.svg",
    "/nowhere",
)
MARKS = ("A PAR - GAS", "A Par-Gas", "Par-Gas", "Paris -> Gascony", "- GAS")


@pytest.fixture(scope="module")
def open_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Table, Visitor]]:
    """A judge with the game `baltic`, and its desk, at which nothing is ever done."""
    table = Table(tmp_path_factory.mktemp("desk"))
    table.start()
    with desk(table) as visitor:
        yield table, visitor
    table.close()


@pytest.fixture
def visitor(open_desk: tuple[Table, Visitor]) -> Visitor:
    """Somebody at the door who has not followed the link."""
    _, visitor = open_desk
    return Visitor(visitor.where, visitor.link)


@pytest.mark.parametrize("path", [*PAGES, "/enter/", "/enter/0", "/enter/" + "0" * 32])
def test_without_the_link_no_page_is_shown(visitor: Visitor, path: str) -> None:
    answer = visitor.get(path)

    assert (answer.status, answer.html) == (403, "Forbidden\n")
    assert "server" not in answer.headers
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("cookie", ["", "desk=1", "desk-{port}=0", "desk-{port}=", "desk-1={own}"])
def test_another_cookie_is_refused(visitor: Visitor, cookie: str) -> None:
    visitor.enter()
    own = visitor.cookie.partition("=")[2]
    visitor.cookie = cookie.format(port=visitor.where.port, own=own)

    assert visitor.get("/").status == 403


def test_the_secret_leaves_the_address_bar_and_reaches_no_other_site(visitor: Visitor) -> None:
    answer = visitor.get(urlsplit(visitor.link).path)

    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(
        answer.headers["set-cookie"].split("; ")
    )
    token = visitor.link.rpartition("/")[2]
    assert token not in answer.headers["set-cookie"]
    assert visitor.enter().status == 200
    for path in PAGES:
        page = visitor.get(path)
        assert token not in page.html
        assert visitor.cookie.partition("=")[2] not in page.html


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_the_headers_that_isolate_it(visitor: Visitor, path: str) -> None:
    visitor.enter()
    answer = visitor.get(path)

    told = {name: answer.headers[name.lower()] for name in HEADERS}
    if path.endswith("replay") and answer.status == 200:
        assert told.pop("Content-Security-Policy").startswith("sandbox")
    assert told.items() <= HEADERS.items()


@pytest.mark.parametrize(
    "host",
    ["rebound.example", "rebound.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", ""],
)
def test_another_name_for_this_machine_is_refused(visitor: Visitor, host: str) -> None:
    visitor.enter()

    answer = visitor.get("/", Host=host.format(port=visitor.where.port))

    assert answer.status in {400, 403}
    assert "baltic" not in answer.html


def test_both_names_of_the_desk_are_accepted(visitor: Visitor) -> None:
    visitor.enter()

    assert visitor.get("/", Host=f"localhost:{visitor.where.port}").status == 200


@pytest.fixture
def untouched(open_desk: tuple[Table, Visitor]) -> Iterator[None]:
    """Fail if the test changes anything."""
    table, _ = open_desk
    before = table.log()
    yield
    assert table.log() == before


EXTEND = {"game": "baltic", "minutes": "60", "reason": "snow"}


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Content_Type": "text/plain"},
        {"Content_Type": "multipart/form-data; boundary=x"},
    ],
    ids=str,
)
def test_a_post_from_another_site_is_refused(visitor: Visitor, headers: dict[str, str]) -> None:
    visitor.enter()
    fields = {"form": visitor.secret(), **EXTEND}

    refused = visitor.post("/ask/extend", fields, **headers)

    assert (refused.status, refused.html) == (403, "Forbidden\n")


def test_a_post_without_an_origin_is_refused(visitor: Visitor) -> None:
    visitor.enter()
    body = urlencode({"form": visitor.secret(), **EXTEND})

    assert visitor.send("POST", "/ask/extend", body, **POSTED).status == 403


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("secret", [{}, {"form": ""}, {"form": "0" * 32}], ids=str)
def test_a_form_without_the_secret_of_the_desk_is_refused(
    visitor: Visitor, secret: dict[str, str]
) -> None:
    visitor.enter()

    refused = visitor.post("/ask/extend", {**EXTEND, **secret})

    assert refused.status == 422


@pytest.mark.usefixtures("untouched")
def test_nothing_happens_until_a_form_of_the_desk_confirms_it(visitor: Visitor) -> None:
    visitor.enter()
    asked = visitor.ask("extend", **EXTEND)
    [address] = re.findall(r'action="(/actions/[^"]+)"', asked.html)

    assert visitor.get(address).status == 200
    assert visitor.post(address, {}).status == 422


def test_a_form_sent_twice_acts_once(table: Table) -> None:
    with desk(table) as visitor:
        visitor.enter()
        asked = visitor.ask("extend", **EXTEND)
        [address] = re.findall(r'action="(/actions/[^"]+)"', asked.html)

        for _ in range(3):
            assert visitor.post(address, {"form": visitor.secret()}).status == 303

        assert "Deadline moved" in visitor.get(address).words
    assert len(table.emails_to(address_of("FRANCE"), "deadline_change")) == 1


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "HEAD"])
def test_other_methods_do_nothing(visitor: Visitor, method: str) -> None:
    visitor.enter()
    asked = visitor.ask("extend", **EXTEND)
    [address] = re.findall(r'action="(/actions/[^"]+)"', asked.html)

    for path in (address, "/ask/extend"):
        visitor.send(method, path, None)


def test_a_form_that_never_ends_is_cut_off(visitor: Visitor) -> None:
    visitor.enter()

    refused = visitor.post("/ask/write", {"text": "x" * 200_000})

    assert refused.status == 413


def test_text_of_players_is_never_markup(judge: Table) -> None:
    set_the_scene(judge)
    with desk(judge) as visitor:
        visitor.enter()
        [number] = judge.query("SELECT id FROM inbox WHERE state = 'quarantined'")[0]
        paths = (*PAGES, "/games/adria", f"/inbox/{number}")
        shown = [visitor.get(path).html for path in paths if not path.endswith("replay")]
        shown += [
            visitor.ask("extend", game="baltic", minutes="60", reason=HOSTILE).html,
            visitor.do("look", game="baltic", reason=HOSTILE).html,
            visitor.ask("write", game="baltic", text=HOSTILE).html,
            visitor.get(f"/games/{HOSTILE.replace(' ', '%20')}").html,
        ]

    assert sum("&lt;script&gt;alert" in page for page in shown) >= 5
    for page in shown:
        assert "<script" not in page
        assert 'onerror="' not in page.replace("onerror=&#34;", "")
        assert "<img src=x" not in page


def marked(table: Table, *rules: str) -> None:
    """Start a game in which France has secret orders, press and a password."""
    table.start("baltic", *rules, moderator=MODERATOR)
    table.send("FRANCE", "A Par-Gas")
    table.send("FRANCE", "PRESS TO ENGLAND\nswordfish, between us\nENDPRESS")
    table.send("FRANCE", "SET PASSWORD marlin99")


def everything_seen(visitor: Visitor, *more: str) -> str:
    """Open every page and submit every form, and return all that was shown."""
    visitor.enter()
    for path in (*PAGES, *more):
        visitor.get(path)
    fields = {"game": "baltic", "mail": "1", "minutes": "60", "reason": "why", "to": "S1901M"}
    for what in ("extend", "process", "roll_back", "pause", "go_on", "write", "look"):
        visitor.ask(what, **fields, text="Hello")
    for what in ("retry", "discard", "read", "export"):
        visitor.do(what, **fields)
    return "\n".join(page for page in visitor.seen if not page.startswith("<svg"))


@pytest.mark.parametrize("who", [None, MODERATOR, address_of("FRANCE"), address_of("ENGLAND")])
def test_no_page_shows_orders_press_or_addresses(judge: Table, who: str | None) -> None:
    marked(judge)
    with desk(judge, who) as visitor:
        seen = everything_seen(visitor, *(f"/inbox/{number}" for number in (1, 2, 3)))

    addresses = (
        ("players.example",) if who in {address_of("FRANCE"), address_of("ENGLAND")} else ()
    )
    for secret in (*MARKS, "swordfish", "marlin99", *addresses):
        assert secret not in re.sub(
            r"(?<=From</dt><dd>)[^<]*|(?<=Message-ID</dt><dd>)[^<]*", "", seen
        )
    assert judge.count_events(OrdersViewed) == 0


def test_the_picture_of_the_board_shows_no_order(judge: Table) -> None:
    judge.start("baltic")
    with desk(judge) as visitor:
        visitor.enter()
        before = visitor.get("/games/baltic/board-light.svg").html
        judge.send("FRANCE", "A Par-Gas")

        assert visitor.get("/games/baltic/board-light.svg").html == before


def test_a_moderator_sees_orders_if_the_rules_say_so(judge: Table) -> None:
    marked(judge, "moderator_sees=orders")
    with desk(judge, MODERATOR) as visitor:
        visitor.enter()
        seen = visitor.get("/games/baltic/orders")
    with desk(judge) as operator:
        operator.enter()
        unseen = operator.get("/games/baltic/orders")

    assert "A PAR - GAS" in seen.words
    assert "Movement results for Spring of 1901" in seen.words
    assert "Paris -> Gascony" in seen.words
    assert (unseen.status, "GAS" in unseen.words) == (404, False)
    assert judge.phase() == "S1901M"


def test_a_playing_moderator_sees_no_orders(judge: Table) -> None:
    judge.start("baltic", "moderator_sees=orders", moderator=address_of("FRANCE"))
    judge.send("ENGLAND", "F Lon-Nth")
    with desk(judge, address_of("FRANCE")) as visitor:
        visitor.enter()

        assert visitor.get("/games/baltic/orders").status == 404
        refused = visitor.do("look", game="baltic", reason="curious")
        assert "You may not do that" in refused.words
    assert judge.count_events(OrdersViewed) == 0


def test_viewing_orders_is_recorded_and_announced_and_shows_the_orders_of_that_moment(
    judge: Table,
) -> None:
    marked(judge)
    with desk(judge) as visitor:
        visitor.enter()
        seen = visitor.do("look", game="baltic", reason="a player asked me to")
        judge.send("FRANCE", "A Par-Pic")

        assert "A PAR - GAS" in seen.words
        assert "recorded" in seen.words
        assert judge.count_events(OrdersViewed) == 1
        assert visitor.get("/games/baltic/orders").status == 404
        assert "PIC" not in seen.words
    game_admin.close_phase_now(judge.judge, "baltic", None)
    [told] = judge.emails_to(address_of("TURKEY"), "phase_results")
    assert "a player asked me to" in told.words


def test_the_lines_of_an_email_are_shown_only_in_quarantine(judge: Table) -> None:
    marked(judge)
    with judge.database.write() as transaction:
        for number in transaction.inbox.held(judge.clock.now(), 10):
            transaction.inbox.finish(number, InboxState.IGNORED)
    with desk(judge) as visitor:
        visitor.enter()
        for what in ("read", "export"):
            assert "no longer in quarantine" in visitor.do(what, mail="1").words


def test_a_playing_moderator_reads_no_email_in_quarantine(judge: Table) -> None:
    judge.start("baltic")
    set_aside(judge)
    with desk(judge, address_of("FRANCE")) as visitor:
        visitor.enter()
        for what in ("read", "export"):
            assert "You may not do that" in visitor.do(what, mail="1").words


def set_aside(table: Table) -> None:
    """Receive an email that the judge quarantines, though it can be read."""
    text = f"Subject: {HOSTILE}\n\nA Par-Gas\nSIGNON Fbaltic marlin99\n{HOSTILE}\n"
    table.store_email(f"From: {address_of('FRANCE')}\n{text}".encode())
    with table.database.write() as transaction:
        transaction.inbox.finish(1, InboxState.QUARANTINED, "it made the judge fail")


def test_an_email_in_quarantine_is_shown_as_text_without_passwords(judge: Table) -> None:
    judge.start("baltic")
    set_aside(judge)
    with desk(judge) as visitor:
        visitor.enter()
        shown = visitor.do("read", mail="1")
        saved = visitor.do("export", mail="1")
        [address] = re.findall(r'href="(/actions/[^"]+/kept)"', saved.html)
        raw = visitor.get(address)

    assert "A Par-Gas" in shown.words
    assert "marlin99" not in shown.html
    assert "<script" not in shown.html
    assert "marlin99" in raw.html
    assert raw.headers["content-type"] == "application/octet-stream"
    assert raw.headers["content-disposition"] == 'attachment; filename="mail-1.eml"'


def test_the_log_of_the_desk_names_no_secret(
    judge: Table, capfd: pytest.CaptureFixture[str]
) -> None:
    marked(judge)
    with desk(judge) as visitor:
        visitor.enter()
        visitor.do("extend", game="baltic", minutes="60", reason="a private reason")
        visitor.get("/enter/wrong-token")
        token, cookie = visitor.link.rpartition("/")[2], visitor.cookie.partition("=")[2]
        form = visitor.secret()

    written = "".join(judge.operator_log.lines) + "".join(capfd.readouterr())
    assert "desk.extend" in written
    for secret in (token, cookie, form, "a private reason", "/enter"):
        assert secret not in written


def test_an_internal_failure_is_logged_and_not_shown(
    judge: Table, capfd: pytest.CaptureFixture[str]
) -> None:
    judge.start("baltic")
    with desk(judge) as visitor:
        visitor.enter()
        judge.database._engine.dispose()
        judge.file.rename(judge.file.with_suffix(".gone"))
        answer = visitor.get("/games/baltic")
        judge.file.with_suffix(".gone").rename(judge.file)

    assert answer.status == 500
    assert "internal error" in answer.words
    assert "Error" not in answer.words
    assert [line.split()[0] for line in judge.operator_log.lines] == ["desk.failed"]
    assert "".join(capfd.readouterr()) == ""
