"""Samples of emails on admission, offers, proposals, diaries and statements, for golden files."""

from __future__ import annotations

from datetime import datetime

from judge.game import moderator_tasks
from judge.game.game_state import Game
from judge.reports.emails import confirmation_emails, contexts, game_history, game_news, game_start
from judge.reports.emails.confirmation_emails import JoinRequest
from judge.reports.emails.game_history import Note
from judge.rules.board import Map

ALL = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def news_samples(
    board: Map, game: Game, until: datetime, code: str
) -> dict[str, contexts.Context]:
    """Return one email of each kind about *game*."""
    told: dict[str, game_news.News] = {
        "place_wanted": game_news.JoinRequested("player-7", None),
        "place_wanted_of_power": game_news.JoinRequested("player-7", "ITALY"),
        "not_let_in": game_news.NotAdmitted(),
        "let_in": game_news.Admitted(waits=False),
        "let_in_to_wait": game_news.Admitted(waits=True),
        "offered": game_news.PowerOffered("ITALY", until),
        "lapsed": game_news.OfferExpired("ITALY"),
        "proposed": game_news.DrawProposal(2, "FRANCE", ("ENGLAND", "FRANCE"), 1, silence=False),
        "proposed_by_nobody": game_news.DrawProposal(1, None, ALL, 2, silence=True),
        "pause_proposed": game_news.PauseProposed(resume=False),
        "resuming_proposed": game_news.PauseProposed(resume=True),
        "proposal_refused": game_news.DrawProposalOver(2, "refused"),
        "proposal_withdrawn": game_news.DrawProposalOver(2, "withdrawn"),
        "proposal_expired": game_news.DrawProposalOver(2, "expired"),
        "stated": game_news.NewStatement(
            "FRANCE", ("It was Turkey's fault.", "", "Thank you all.")
        ),
        "handed": game_news.NewModerator("player-7"),
        "stated_by_moderator": game_news.NewStatement(None, ("Well played.",)),
    }
    heading = game_start.rules_sheet(board, game, judge_code=code).heading
    notes = (
        Note("FRANCE", ("Italy is honest.",), 1, "S1901M"),
        Note("FRANCE", ("Was.",), 2, "F1901M"),
    )
    statements = (Note("TURKEY", ("I am sorry.",)), Note(None, ("Well played.",)))
    return {
        **{
            name: game_news.game_news(board, game, None, each, judge_code=code)
            for name, each in told.items()
        },
        "desk_mail_of_places": game_news.DeskMail(
            heading=heading,
            decisions=(
                moderator_tasks.AsksToJoin("p1", None),
                moderator_tasks.AsksToJoin("p2", "ITALY"),
            ),
            vacant=("ITALY",),
            handles={"p1": "player-1", "p2": "player-2"},
        ),
        "diary": game_history.diaries_and_statements(
            board, game, (), notes, own=True, judge_code=code
        ),
        "diary_empty": game_history.diaries_and_statements(
            board, game, (), (), own=True, judge_code=code
        ),
        "memoirs": game_history.diaries_and_statements(
            board, game, statements, notes, own=False, judge_code=code
        ),
        "confirm_standby": confirmation_emails.ConfirmJoin(
            heading=contexts.Heading(code, board=board), game="baltic", wish=JoinRequest.WAIT
        ),
        "confirm_standby_any": confirmation_emails.ConfirmJoin(
            heading=contexts.Heading(code, board=board), game="", wish=JoinRequest.WAIT
        ),
    }
