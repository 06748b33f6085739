"""Samples of press emails and of their receipts, for the golden files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from judge.game.decision import Why
from judge.game.game_state import Game
from judge.game.house_rules import Fakes, HouseRules
from judge.game.press import OBSERVER, PressSent
from judge.reports.emails import contexts, press, receipts
from judge.reports.emails.contexts import heading_of
from judge.rules.board import Map
from judge.rules.types import Phase

CODE = "JUDG"
RECEIVED = datetime(2026, 11, 28, 14, 1, tzinfo=UTC)
FORGERS = HouseRules(zone="Europe/Berlin", fakes=Fakes.BOTH)


def sent(sender: str, *readers: str, signed: str | None = "", postal: bool = False) -> PressSent:
    """Return press from *sender* to *readers*, signed by the sender unless *signed* is given."""
    return PressSent(
        message="letter",
        sender=sender,
        person="anna",
        recipients=readers,
        signed=sender if signed == "" else signed,
        named=readers,
        postal=postal,
        thread="letter",
        phase="S1901M",
        sealed_text="sealed",
        mail="mail",
    )


def press_samples(board: Map, game: Game, forgery: Game) -> Mapping[str, contexts.Context]:
    """Return an email for each kind of press; in the game *forgery*, press may be forged."""
    everybody = sent("ITALY", *board.powers)
    grey = sent("FRANCE", "ENGLAND", "GERMANY", signed=None)
    grey_to_all = sent("FRANCE", *board.powers, signed=None)
    postal = sent("ITALY", *board.powers, postal=True)
    plain = sent("FRANCE", "ENGLAND", "GERMANY")
    by_observer = sent(OBSERVER, "FRANCE")
    text = "Shall we?\n\n  F."
    return {
        "letter": press.press_email(board, game, plain, text, judge_code=CODE),
        "letter_unsigned": press.press_email(board, game, grey, text, judge_code=CODE),
        "letter_doubtful": press.press_email(board, forgery, plain, text, judge_code=CODE),
        "letter_of_observer": press.press_email(
            board, game, by_observer, text, judge_code=CODE, handle="olga"
        ),
        "broadcast": press.press_email(board, game, everybody, "Peace!", judge_code=CODE),
        "broadcast_unsigned": press.press_email(
            board, game, grey_to_all, "Peace!", judge_code=CODE
        ),
        "broadcast_postal": press.press_email(
            board, game, postal, "Peace!", judge_code=CODE, answerable=False
        ),
        "press_echo": press.press_echo(board, game, ("FRANCE",), GONE[0], judge_code=CODE),
        "press_echo_unsigned": press.press_echo(board, game, (), GONE[2], judge_code=CODE),
        "press_or_orders": press.PressOrOrders(
            heading=heading_of(board, game, CODE),
            received=RECEIVED,
            writer="ITALY",
            orders=("A Par-Bur",),
            commands=("SET DRAW",),
            others=("To Germany: he lies",),
        ),
        "press_or_orders_settled": press.PressOrOrders(
            heading=heading_of(board, game, CODE), received=RECEIVED, settled="press"
        ),
        "press_refused": press.press_echo(board, game, ("FRANCE",), LATE, judge_code=CODE),
        "receipt_of_press": receipts.receipt(board, game, "FRANCE", GONE, judge_code=CODE),
        "receipt_kept": receipts.receipt(board, game, "FRANCE", KEPT, judge_code=CODE),
    }


GONE = (
    press.PressAccepted("FRANCE", ("ENGLAND",), signed="FRANCE"),
    press.PressAccepted("FRANCE", ("ENGLAND",), ("Shall we?",), signed="FRANCE", gunboat=True),
    press.PressAccepted(
        "FRANCE", ("ENGLAND", "ITALY"), ("Shall we?", "Best, [...]"), signed=None, struck=("Jean",)
    ),
    press.PressAccepted("FRANCE", ("ENGLAND",), ("Shall we?",), signed="ITALY"),
    press.PressAccepted(
        "FRANCE", ("ENGLAND",), ("Shall we?",), signed="FRANCE", named=("ENGLAND", "ITALY")
    ),
    press.PressAccepted("FRANCE", ("ENGLAND", "ITALY"), signed="FRANCE", postal=True),
    press.PressAccepted("FRANCE", ("ENGLAND",), ("Shall we?",), signed="FRANCE", preview=True),
    press.PressReturned(("Shall we?",), Why.PRESS_KIND),
    press.PressReturned(("Shall we?",), None, ("SPAIN",)),
    press.PressWithoutOpening(("BROADCAST: shall we?",)),
    press.PressWithoutOpening(("Message to Germany:", "shall we?"), "PRESS TO GERMANY"),
)
LATE = press.PressReturned(("Shall we?",), Why.PRESS_FROM_LATE)
KEPT = (
    receipts.TypoCorrected(1, "A Marsailes - Spa"),
    receipts.OrdersKept(Phase.parse("F1901M"), ("A Mar-Spa", "IF F Mao", "  F Mao-Por", "ENDIF")),
    receipts.OrdersKept(Phase.parse("F1901R"), ("A Mar-Gas",)),
    receipts.OtherPhaseOffer("PHASE XYZ", ("A Mar-Gas",), exists=False),
)
