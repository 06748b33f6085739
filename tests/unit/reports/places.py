"""Mails about places, proposals, diaries and statements, for the golden files."""

from __future__ import annotations

from datetime import datetime

from judge.game import moderator_tasks
from judge.game.game_state import Game
from judge.reports import contexts, memoirs, news, strangers
from judge.reports.greetings import Wish
from judge.reports.memoirs import Note
from judge.rules.board import Map

ALL = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def places(board: Map, game: Game, until: datetime, code: str) -> dict[str, contexts.Context]:
    """Return one mail of each kind about *game*."""
    told: dict[str, news.News] = {
        "place_wanted": news.PlaceWanted("player-7", None),
        "place_wanted_of_power": news.PlaceWanted("player-7", "ITALY"),
        "not_let_in": news.NotLetIn(),
        "let_in": news.LetIn(waits=False),
        "let_in_to_wait": news.LetIn(waits=True),
        "offered": news.Offered("ITALY", until),
        "lapsed": news.Lapsed("ITALY"),
        "proposed": news.Proposed(2, "FRANCE", ("ENGLAND", "FRANCE"), 1, silence=False),
        "proposed_by_nobody": news.Proposed(1, None, ALL, 2, silence=True),
        "proposal_refused": news.ProposalOver(2, "refused"),
        "proposal_withdrawn": news.ProposalOver(2, "withdrawn"),
        "proposal_expired": news.ProposalOver(2, "expired"),
        "stated": news.Stated("FRANCE", ("It was Turkey's fault.", "", "Thank you all.")),
        "handed": news.Handed("player-7"),
        "stated_by_moderator": news.Stated(None, ("Well played.",)),
    }
    heading = news.rules_sheet(board, game, judge_code=code).heading
    notes = (
        Note("FRANCE", ("Italy is honest.",), 1, "S1901M"),
        Note("FRANCE", ("Was.",), 2, "F1901M"),
    )
    statements = (Note("TURKEY", ("I am sorry.",)), Note(None, ("Well played.",)))
    return {
        **{
            name: news.table_news(board, game, None, each, judge_code=code)
            for name, each in told.items()
        },
        "desk_mail_of_places": news.DeskMail(
            heading=heading,
            decisions=(
                moderator_tasks.AsksToJoin("p1", None),
                moderator_tasks.AsksToJoin("p2", "ITALY"),
            ),
            vacant=("ITALY",),
            handles={"p1": "player-1", "p2": "player-2"},
        ),
        "diary": memoirs.memoirs(board, game, (), notes, own=True, judge_code=code),
        "diary_empty": memoirs.memoirs(board, game, (), (), own=True, judge_code=code),
        "memoirs": memoirs.memoirs(board, game, statements, notes, own=False, judge_code=code),
        "confirm_standby": strangers.confirm_join("baltic", None, Wish.WAIT, judge_code=code),
        "confirm_standby_any": strangers.confirm_join("", None, Wish.WAIT, judge_code=code),
    }
