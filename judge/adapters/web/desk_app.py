"""The pages of the moderator's desk: addresses lead to pages, forms to actions.

A form leads to a page that describes the action. The form there runs it, once, however often it is
sent. Both reply with a redirect, so a reload repeats nothing.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from judge.adapters.web import desk_forms
from judge.adapters.web.desk_forms import BadFormError
from judge.adapters.web.servers import DeskKeys
from judge.app.admin import game_admin
from judge.app.game.apply import find_damaged_games, warn_of_damage
from judge.app.gamemaster import emails, game_pages, standing_orders
from judge.app.gamemaster.actions import ActionRunner, Done, NotDone
from judge.app.gamemaster.standing_orders import DeskAccess
from judge.app.ports.damaged_logs import DamagedLogError
from judge.app.ports.database import retry_overtaken
from judge.app.ports.inbox import InboxState
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import DeliveryState
from judge.app.ports.people import Person
from judge.app.replay.page import NothingToReplayError
from judge.app.replay.page import game_replay_page as replay_page
from judge.archive.reading import rulebook_of
from judge.game.game_state import Game
from judge.game.visibility import Moderator
from judge.notation.order_text import UnreadableOrderError
from judge.pictures.board_art import BoardArt
from judge.reports import desk_views
from judge.reports.emails.contexts import Heading
from judge.reports.languages import SOURCE, languages
from judge.resources import read_text

FORM_BYTES_MAX = 100_000
ERRANDS_MAX = 200  # actions asked for and remembered; the oldest are forgotten
THEMES = ("light", "dark")
# A replay has its own script, sandboxed as if it came from another site.
REPLAY_POLICY = "sandbox allow-scripts"
OK, NOT_FOUND, TOO_LARGE, UNREADABLE, OURS = 200, 404, 413, 422, 500

Fields: TypeAlias = Mapping[str, str]
Handler: TypeAlias = Callable[[Request, Fields], Response]


@dataclass(slots=True)
class Pending:
    """An action that was asked for, and its outcome once it was run."""

    asked: desk_forms.RequestedAction
    what: str
    outcome: Done | NotDone | None = None


class NoPageError(Exception):
    """There is no such page; the message is the key of its text."""

    def __init__(self, what: str = "no_page", status: int = NOT_FOUND) -> None:
        super().__init__(what)
        self.what, self.status = what, status


@dataclass(slots=True)
class Desk:
    """One desk: *person* is its user, if given; *keys* are its secrets.

    It runs one action at a time, as it has one user.
    """

    judge: Judge
    keys: DeskKeys
    person: Person | None = None
    pending: OrderedDict[str, Pending] = field(default_factory=OrderedDict)
    hands: threading.Lock = field(default_factory=threading.Lock)

    def access(self, request: Request) -> DeskAccess:
        """Return what the user of the desk may see."""
        language = language_for(self.person, request)
        return DeskAccess(self.person.id if self.person else None, language)

    def app(self) -> Starlette:
        """Return the pages as an application."""
        reading: Mapping[str, Handler] = {
            "/": self._games,
            "/games/{name}": self._game,
            "/games/{name}/orders": self._orders,
            "/games/{name}/board-{theme}.svg": self._board,
            "/games/{name}/replay": self._replay,
            "/mails": self._mails,
            "/inbox": self._inbox,
            "/inbox/{number}": self._arrival,
            "/status": self._status,
            "/actions/{id}": self._show_action,
            "/actions/{id}/kept": self._show_result,
            "/desk.css": self._style,
            "/icon.svg": self._icon,
        }
        doing: Mapping[str, Handler] = {"/ask/{what}": self._ask, "/actions/{id}": self._run}
        pages = [Route(path, self._serve(page), methods=["GET"]) for path, page in reading.items()]
        doings = [Route(path, self._serve(do), methods=["POST"]) for path, do in doing.items()]
        return Starlette(
            routes=[*doings, *pages], exception_handlers={HTTPException: self._missing}
        )

    # Requests

    def _serve(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """Make *handler* answer requests in a thread, without details of our errors."""

        async def serve(request: Request) -> Response:
            try:
                form = await self._form(request) if request.method == "POST" else {}
                return await run_in_threadpool(self._handle, handler, request, form)
            except NoPageError as error:
                return self._page(request, desk_views.Problem(error.what), error.status)
            except DamagedLogError as error:
                warn_of_damage(self.judge, error.flaw)
                return self._page(request, desk_views.Problem("damaged_log", str(error)), OURS)
            except Exception as error:  # noqa: BLE001 - it is logged
                self.judge.operator_log.failed("desk.failed", error, page=handler.__name__)
                return self._page(request, desk_views.Problem("failed"), OURS)

        return serve

    def _handle(self, handler: Handler, request: Request, form: Fields) -> Response:
        with self.hands:
            try:
                return handler(request, form)
            except UnreadableOrderError as error:
                damaged = find_damaged_games(self.judge)
                if not damaged:
                    raise
                raise DamagedLogError(damaged[0]) from error

    async def _form(self, request: Request) -> Fields:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > FORM_BYTES_MAX:
                raise NoPageError("too_large", TOO_LARGE)
        fields = dict(parse_qsl(body.decode("utf-8", "replace"), max_num_fields=20))
        if not self.keys.is_form(fields.get("form", "")):
            raise NoPageError("stale_form", UNREADABLE)
        return fields

    async def _missing(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else NOT_FOUND
        return self._page(request, desk_views.Problem("no_page"), status)

    def _page(
        self, request: Request, page: desk_views.DeskPage, status: int = OK, of: Game | None = None
    ) -> HTMLResponse:
        code, now = self.judge.code, self.judge.clock.now()
        frame = desk_views.PageFrame(
            code, self.keys.form, now, self.person.handle if self.person else None
        )
        heading = Heading(code, language=language_for(self.person, request))
        if of:
            board, zone = self.judge.board_of(of), of.house_rules.zone
            heading = replace(heading, game=of.name, board=board, zone=zone)
        return HTMLResponse(desk_views.render_desk_page(frame, page, heading), status)

    # Pages

    def _art(self, game: Game) -> BoardArt | None:
        return self.judge.art_of(self.judge.board_of(game))

    def _games(self, request: Request, _form: Fields) -> Response:
        return self._page(request, game_pages.list_games(self.judge, self.access(request)))

    def _game(self, request: Request, _form: Fields) -> Response:
        found = self._named(request)
        drawn = self._art(found) is not None
        page = game_pages.game_page(self.judge, found, self.access(request), has_picture=drawn)
        return self._page(request, page, of=found)

    def _orders(self, request: Request, _form: Fields) -> Response:
        found = self._named(request)
        access = self.access(request)
        if found.phase is None or not access.sees_orders(found):
            raise NoPageError("no_orders")
        art = self._art(found)
        page = standing_orders.orders_shown(self.judge, found, Moderator(), art, access.language)
        return self._page(request, page, of=found)

    def _board(self, request: Request, _form: Fields) -> Response:
        found, theme = self._named(request), str(request.path_params["theme"])
        art = self._art(found)
        if art is None or theme not in THEMES:
            raise NoPageError
        language = language_for(self.person, request)
        drawn = game_pages.game_map(self.judge, found, art, theme, language)
        if drawn is None:
            raise NoPageError
        return Response(drawn, media_type="image/svg+xml")

    def _replay(self, request: Request, _form: Fields) -> Response:
        found = self._named(request)
        art, board = self._art(found), self.judge.board_of(found)
        if art is None or found.position is None:
            raise NoPageError
        record = game_admin.public_record_of_game(self.judge, found.name)
        try:
            language = language_for(self.person, request)
            page = replay_page(board, art, record, rulebook_of(record), language=language)
        except NothingToReplayError:
            raise NoPageError("no_replay") from None
        return HTMLResponse(page, headers={"Content-Security-Policy": REPLAY_POLICY})

    def _mails(self, request: Request, _form: Fields) -> Response:
        way, name = request.query_params.get("way"), request.query_params.get("game")
        known = DeliveryState(way) if way in {each.value for each in DeliveryState} else None
        language = language_for(self.person, request)
        return self._page(request, emails.sent_mails(self.judge, name or None, known, language))

    def _inbox(self, request: Request, _form: Fields) -> Response:
        state = request.query_params.get("state")
        known = InboxState(state) if state in {each.value for each in InboxState} else None
        return self._page(request, emails.incoming_mails(self.judge, known))

    def _arrival(self, request: Request, _form: Fields) -> Response:
        number = desk_forms.whole_number(str(request.path_params["number"]))
        mail = emails.find_mail(self.judge, number) if number is not None else None
        if mail is None:
            raise NoPageError
        return self._page(request, emails.incoming_mail(self.judge, mail))

    def _status(self, request: Request, _form: Fields) -> Response:
        return self._page(request, game_pages.judge_condition(self.judge))

    def _style(self, _request: Request, _form: Fields) -> Response:
        return Response(desk_views.desk_style_sheet(), media_type="text/css")

    def _icon(self, _request: Request, _form: Fields) -> Response:
        return Response(read_text("templates", "desk/icon.svg"), media_type="image/svg+xml")

    def _named(self, request: Request) -> Game:
        found = game_admin.load_game(self.judge, str(request.path_params["name"]))
        if found is None:
            raise NoPageError("no_game")
        return found

    # Actions

    def _ask(self, request: Request, form: Fields) -> Response:
        what = str(request.path_params["what"])
        try:
            asked = desk_forms.read_form(self.judge, what, form)
        except BadFormError as error:
            raise NoPageError(str(error), UNREADABLE) from None
        name = self.judge.random.nonce()
        self.pending[name] = Pending(asked, what)
        if len(self.pending) > ERRANDS_MAX:
            self.pending.popitem(last=False)
        return RedirectResponse(f"/actions/{name}", 303)

    def _show_action(self, request: Request, _form: Fields) -> Response:
        name, pending = self._pending(request)
        outcome = pending.outcome
        page = desk_views.ActionPage(
            id=name, what=pending.what, details=pending.asked.details, back=pending.asked.back
        )
        match outcome:
            case NotDone(why=why):
                page = replace(page, refused=why)
            case Done(kept=kept):
                page = replace(page, done=True, kept=kept is not None)
            case None:
                pass
        return self._page(request, page, of=self._game_of(pending))

    def _run(self, request: Request, _form: Fields) -> Response:
        name, pending = self._pending(request)
        if pending.outcome is None:
            runner = ActionRunner(self.judge, self.access(request))
            pending.outcome = retry_overtaken(partial(runner.run, pending.asked.action))
            self.judge.operator_log.note(f"desk.{pending.what}", action=name[:8])
        match pending.outcome:
            case Done(kept=desk_views.OrdersShown() | desk_views.EmailLines()):
                return RedirectResponse(f"/actions/{name}/kept", 303)
            case _:
                return RedirectResponse(f"/actions/{name}", 303)

    def _show_result(self, request: Request, _form: Fields) -> Response:
        """Show the page or file that an action was run for, as it was then."""
        _, pending = self._pending(request)
        match pending.outcome:
            case Done(kept=desk_views.OrdersShown() as page):
                return self._page(request, page, of=self._game_of(pending))
            case Done(kept=desk_views.EmailLines() as page):
                return self._page(request, page)
            case Done(kept=bytes() as raw):
                name = f'attachment; filename="mail-{pending.asked.details["mail"]}.eml"'
                headers = {"Content-Disposition": name}
                return Response(raw, media_type="application/octet-stream", headers=headers)
            case _:
                raise NoPageError

    def _game_of(self, pending: Pending) -> Game | None:
        name = pending.asked.details.get("game")
        return game_admin.load_game(self.judge, name) if isinstance(name, str) else None

    def _pending(self, request: Request) -> tuple[str, Pending]:
        name = str(request.path_params["id"])
        if name not in self.pending:
            raise NoPageError("no_action")
        return name, self.pending[name]


# RFC 9110 12.5.4: `de-AT;q=0.8`; the region makes no difference here.
RANGE = re.compile(r"([A-Za-z]{1,8})(?:-[A-Za-z0-9-]+)?(?:\s*;\s*[qQ]=([01](?:\.\d{0,3})?))?")


def language_for(person: Person | None, request: Request) -> str:
    """Return the language that *person* chose, else the best that *request* accepts."""
    if person and person.language != SOURCE:
        return person.language
    return preferred(request.headers.get("accept-language", ""))


def preferred(accepted: str) -> str:
    """Return the best language of an Accept-Language field; English if it has none of ours."""
    liked = [
        (float(found[2] or 1), found[1].lower())
        for found in map(RANGE.fullmatch, map(str.strip, accepted.split(",")))
        if found and found[1].lower() in languages()
    ]
    best, language = max(liked, key=lambda each: each[0], default=(0.0, SOURCE))
    return language if best else SOURCE
