"""Samples of every kind of email, made from a small game, for the golden files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from judge.adapters.variant_files import load_map
from judge.app.commands.table import COMMANDS
from judge.checkpoints import Checkpoint, Closing, Tree
from judge.game import moderator_tasks
from judge.game.decision import Why
from judge.game.game_state import Ending, Game, OpenPhase, Seat, SeatState, Stage
from judge.game.game_summary import summarize
from judge.game.house_rules import HOUR, HouseRules, Nmr, Press
from judge.game.payloads import (
    orders_from_texts,
    outcome_to_payload,
    paradox_to_payload,
    position_to_payload,
)
from judge.game.phases import PhaseClosed, suppose_orders
from judge.game.visibility import Moderator, Observer, Player
from judge.notation.order_text import read_order
from judge.reports.emails import (
    confirmation_emails,
    contexts,
    explanations,
    game_history,
    game_news,
    game_start,
    help_pages,
    listings,
    notices,
    order_status,
    phase_results,
    press,
    receipts,
)
from judge.reports.emails.confirmation_emails import (
    ConfirmationReason,
    HeldEmail,
    JoinRefusal,
    JoinRequest,
    OpenGame,
)
from judge.reports.emails.contexts import Answer, Digest, Heading, addressed_to_reader, heading_of
from judge.reports.emails.game_history import Tenure
from judge.reports.emails.listings import Contact
from judge.reports.emails.phase_results import visible_results
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.outcomes import Impossible
from judge.rules.rulebook import DATC
from judge.rules.types import DislodgedUnit, Phase, Position, Unit, UnitKind
from tests.unit.reports.news_samples import news_samples
from tests.unit.reports.press_samples import FORGERS, press_samples

BOARD = load_map()
BERLIN = HouseRules(zone="Europe/Berlin")
OPENED = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DEADLINE = datetime(2026, 11, 27, 19, 0, tzinfo=UTC)
GRACE_END = datetime(2026, 11, 28, 19, 0, tzinfo=UTC)
HANDLES = {power: f"player-{number}" for number, power in enumerate(BOARD.powers, 1)}
CODE = "JUDG"
HEADING = Heading(CODE)


def unit(power: str, text: str) -> Unit:
    letter, location = text.split()
    return Unit(power, UnitKind(letter), location)


def game(
    position: Position = BOARD.start,
    house_rules: HouseRules = BERLIN,
    **standing: tuple[str, ...],
) -> Game:
    """Return the game *dogger* in *position*, with the orders *standing*."""
    return Game(
        "dogger",
        "standard",
        DATC,
        house_rules,
        stage=Stage.PLAYING,
        seats={power: Seat(handle) for power, handle in HANDLES.items()},
        position=position,
        phase=OpenPhase(1, OPENED, DEADLINE, GRACE_END, standing=standing),
    )


RETREATS = Position(
    Phase.parse("F1902R"),
    (unit("AUSTRIA", "A VIE"), unit("ITALY", "A TRI"), unit("RUSSIA", "F STP/SC")),
    BOARD.start.owners,
    dislodged=(
        DislodgedUnit(
            unit("AUSTRIA", "A TRI"), "VEN", attacker_convoyed=False, retreats=("ALB", "BUD")
        ),
    ),
)
WINTER = Position(
    Phase.parse("W1902A"),
    (
        unit("AUSTRIA", "A VIE"),
        unit("ITALY", "A TRI"),
        unit("RUSSIA", "F STP/SC"),
        *(unit("TURKEY", f"A {place}") for place in ("CON", "SMY", "SYR", "ARM")),
    ),
    {**BOARD.start.owners, "BUL": "RUSSIA"},
)

CENTERS = phase_results.centers_by_year(BOARD, [RETREATS, WINTER])


def late(board_game: Game) -> Game:
    assert board_game.phase
    phase = replace(board_game.phase, passed=True, late=frozenset({"FRANCE", "TURKEY"}))
    return replace(board_game, phase=phase)


def vacant(board_game: Game) -> Game:
    seat = Seat("somebody", SeatState.VACANT, GRACE_END)
    return replace(board_game, seats={**board_game.seats, "TURKEY": seat})


def ended(board_game: Game) -> Game:
    ending = Ending("draw", ("ENGLAND", "FRANCE", "RUSSIA"))
    return replace(board_game, stage=Stage.ENDED, phase=None, ending=ending)


def forming() -> Game:
    return Game(
        "dogger",
        "standard",
        DATC,
        BERLIN,
        joined={"anna": (("ENGLAND",), ("FRANCE", "TURKEY")), "bert": ()},
    )


def results_of(
    position: Position, reader: str | None, **orders: tuple[str, ...]
) -> contexts.Context:
    """Close the phase of *position* with *orders*; return the results for *reader*."""
    read = {power: orders_from_texts(texts) for power, texts in orders.items()}
    judged = adjudicate(BOARD, position, read)
    before = game(position, BERLIN, **orders)
    assert before.phase
    before = replace(before, phase=replace(before.phase, viewed=("a lost password",)))
    closed = PhaseClosed(
        phase=position.phase.code,
        number=1,
        orders=orders,
        verdicts=tuple(outcome_to_payload(each) for each in (*judged.outcomes, *judged.unordered)),
        paradoxes=tuple(map(paradox_to_payload, judged.paradoxes)),
        removed=tuple(f"{unit.power} {unit}" for unit in judged.removed),
        nmr=("TURKEY",),
        after=position_to_payload(judged.after),
        commitments={power: {"nonce": "0c" * 16, "digest": "9f" * 32} for power in orders},
        rulebook="datc",
        resolver="1",
    )
    after = game(judged.after)
    return phase_results.phase_results(
        BOARD, before, closed, after, reader, judge_code=CODE, closing=CLOSING, centers=CENTERS
    )


def board_of(phase: str, owners: dict[str, str] | None = None, **units: str) -> Position:
    """Return a position from `AUSTRIA="A BUD, F TRI"`."""
    return Position(
        Phase.parse(phase),
        tuple(
            unit(power, text.strip())
            for power, texts in sorted(units.items())
            for text in texts.split(",")
        ),
        {**BOARD.start.owners, **(owners or {})},
    )


CLOSING = Closing(
    game="baltic",
    version=31,
    before=Tree(),
    leaves=(),
    checkpoint=Checkpoint("judge.example/judge", 4821, b"\x5e" * 32),
    note="",
    key="",
)
FULL_RECEIPT = (
    order_status.OrderTaken(read_order("A PAR - BUR"), instead_of=read_order("A PAR H")),
    order_status.OrderTaken(read_order("F BRE - MOS"), impossible=Impossible.NO_FLEET_INLAND),
    order_status.OrderRejected(read_order("A MUN - BUR"), Impossible.NOT_YOURS),
    receipts.LineNotUnderstood(5, "A Marsailes - Spa", ("A Mar-Spa",)),
    receipts.LineUnclear(6, "F Bre - Nor", "Nor", ("F Bre-Nth", "F Bre-NAt")),
    receipts.CommandDone("wait"),
    receipts.CommandRefused("draw", Why.NO_DRAWS),
    press.PressAccepted("FRANCE", ("ENGLAND", "GERMANY"), signed="FRANCE"),
    press.PressReturned(("Shall we?", "F.")),
    receipts.QuotedTextIgnored(12, ("A Par H",)),
    receipts.SignatureIgnored(("A Par H",)),
    receipts.StruckTextIgnored(("A Par - Gas",)),
    receipts.ReplyAddressChanged(),
    receipts.AttachmentsIgnored(("orders.doc", "map.png")),
    receipts.PartsDiffer(html=True, read=("A Par-Bur",), unread=("A Par-Gas",)),
)


def help_on(topic: str | None) -> help_pages.Help:
    return help_pages.help_page(topic, COMMANDS.forms_on(topic), judge_code=CODE)


def explanation(*, blind: bool = False) -> contexts.Context:
    """Return the answer to WHY for several orders of a phase: failed, not given, unreadable."""
    played = replace(game(), house_rules=replace(game().house_rules, blind=blind))
    reader = Player("FRANCE") if blind else Observer()
    told = results_of(
        board_of("F1902M", FRANCE="A PAR, F BRE", GERMANY="A MUN"),
        None,
        FRANCE=("A PAR - BUR",),
        GERMANY=("A MUN - BUR",),
    )
    assert isinstance(told, phase_results.PhaseResults)
    asked = {
        "A Par-Bur": read_order("A PAR - BUR"),
        "A Mun-Par": read_order("A MUN - PAR"),
        "A Mos H": read_order("A MOS H"),
        "A Mu-Bur": None,
    }
    asked |= {"A Par-Mun": read_order("A PAR - MUN")} if blind else {}
    seen = visible_results(BOARD, played, told.shared, reader)
    return explanations.explanation(BOARD, played, seen, asked, reader)


def what_if() -> contexts.Context:
    """Return a preview with orders of two powers in the first Spring."""
    orders = {"FRANCE": ("A PAR - BUR",), "GERMANY": ("A MUN - BUR",)}
    closed, after = suppose_orders(BOARD, game(), orders)
    results = phase_results.shared_results(BOARD, game(), closed, after, judge_code=CODE)
    return explanations.WhatIf(
        heading=heading_of(BOARD, game(), CODE),
        shared=visible_results(BOARD, after, results, Observer()),
        unread=("A Mu-Bur",),
        others=("A Bur-Mun",),
        own=True,
        held=False,
        blind=False,
    )


def board_map_closed() -> contexts.Context:
    """Return the answer to MAP for a closed phase."""
    told = results_of(board_of("F1901M", FRANCE="A PAR"), None, FRANCE=("A PAR - BUR",))
    assert isinstance(told, phase_results.PhaseResults)
    return board_map(told.shared.stood, results=told)


def board_map(
    position: Position,
    standing: Mapping[str, tuple[str, ...]] | None = None,
    results: phase_results.PhaseResults | None = None,
    *,
    drawn: bool = True,
) -> contexts.Context:
    return game_history.BoardMap(
        heading=heading_of(BOARD, game(), CODE),
        phase=position.phase,
        position=position,
        standing=standing or {},
        results=results,
        drawn=drawn,
    )


def variant_page(board: Map) -> contexts.Context:
    heading = Heading(CODE, board=board)
    return listings.VariantPage(heading=heading, board=board, position=board.start)


def game_over(
    over: Game, was_due: datetime | None = None, closing: Closing | None = None
) -> contexts.Context:
    assert over.ending
    return game_history.GameOver(
        heading=heading_of(BOARD, over, CODE),
        ending=over.ending,
        was_due=was_due,
        centers=CENTERS,
        closing=closing,
    )


def game_list(
    *games: Game, over: int = 0, page: listings.ListPage | None = None
) -> contexts.Context:
    lines = tuple(listings.game_line(BOARD, summarize(BOARD, each), None) for each in games)
    return listings.GameList(heading=HEADING, games=lines, over=over, page=page)


def samples() -> dict[str, contexts.Context]:
    """Return the sample emails by name."""
    spring = game(FRANCE=("A PAR - BUR", "F BRE - MOS"))
    whole = game(FRANCE=("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"))
    commitment = order_status.Commitment("9f" * 32, "0c" * 16)
    table: dict[str, game_news.News] = {
        "paused": game_news.Paused("The moderator is ill."),
        "paused_by_vote": game_news.Paused("vote"),
        "resumed": game_news.Resumed(),
        "away": game_news.AbsenceAnnounced("ITALY", OPENED, DEADLINE),
        "not_away": game_news.AbsenceAnnounced("ITALY"),
        "time_asked": game_news.ExtensionRequested("ITALY", 24 * HOUR, "my exam"),
        "time_refused": game_news.ExtensionDenied(),
    }
    return {
        "results_movement": results_of(
            board_of(
                "F1901M",
                AUSTRIA="A BUD, A SER, F TRI, A VIE",
                ENGLAND="F NTH, A YOR, F ENG",
                FRANCE="A PAR, F BRE, F MAO",
                ITALY="A VEN, A TYR, F ION",
                RUSSIA="A RUM, A WAR, F SEV",
                TURKEY="A BUL, F BLA",
            ),
            "AUSTRIA",
            AUSTRIA=("A BUD - RUM", "A SER S A BUD - RUM", "F TRI H", "A VIE S F TRI"),
            ENGLAND=("A YOR - BEL", "F NTH C A YOR - BEL", "F ENG S F BRE"),
            FRANCE=("A PAR - MOS", "F BRE - ENG", "F MAO S F BRE - ENG"),
            ITALY=("A VEN - TRI", "A TYR - VIE", "F ION - ADR"),
            RUSSIA=("A RUM S A WAR - GAL", "A WAR - UKR", "F SEV S A RUM"),
        ),
        "results_dislodged": results_of(
            board_of(
                "F1902M",
                AUSTRIA="A VIE, F TRI",
                GERMANY="A BOH, A MUN",
                ITALY="A VEN, A TYR",
            ),
            "AUSTRIA",
            AUSTRIA=("A VIE - TYR", "F TRI H"),
            GERMANY=("A BOH - MUN", "A MUN - BOH"),
            ITALY=("A VEN - TRI", "A TYR S A VEN - TRI"),
        ),
        "results_retreats": results_of(
            replace(
                RETREATS,
                dislodged=(
                    *RETREATS.dislodged,
                    DislodgedUnit(
                        unit("TURKEY", "F GRE"), "AEG", attacker_convoyed=False, retreats=("ALB",)
                    ),
                    DislodgedUnit(
                        unit("RUSSIA", "A RUM"),
                        "BUL",
                        attacker_convoyed=False,
                        retreats=("SEV", "UKR"),
                    ),
                    DislodgedUnit(
                        unit("RUSSIA", "A GAL"), "BUL", attacker_convoyed=False, retreats=("WAR",)
                    ),
                ),
            ),
            "RUSSIA",
            AUSTRIA=("A TRI R ALB",),
            TURKEY=("F GRE R ALB",),
            RUSSIA=("A RUM R SEV",),
        ),
        "results_adjustments": results_of(
            WINTER,
            "RUSSIA",
            AUSTRIA=("A BUD B", "A PAR B"),
            RUSSIA=("A MOS B", "WAIVE"),
        ),
        "game_start": game_start.game_start(
            BOARD, game(), Player("RUSSIA"), HANDLES, judge_code=CODE
        ),
        "game_start_observer": game_start.game_start(
            BOARD,
            game(house_rules=replace(BERLIN, anonymous=True)),
            Moderator(),
            HANDLES,
            judge_code=CODE,
        ),
        "joined": game_start.joined(BOARD, forming(), "anna", judge_code=CODE),
        "receipt_troubled": receipts.receipt(
            BOARD, spring, "FRANCE", FULL_RECEIPT, judge_code=CODE, commitment=commitment
        ),
        "receipt_complete": receipts.receipt(
            BOARD,
            whole,
            "FRANCE",
            [
                order_status.OrderTaken(read_order(text))
                for text in ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")
            ],
            judge_code=CODE,
            commitment=commitment,
        ),
        "receipt_empty": receipts.receipt(BOARD, game(), "FRANCE", (), judge_code=CODE),
        "receipt_other_phase": receipts.receipt(
            BOARD,
            game(RETREATS),
            "AUSTRIA",
            [receipts.OtherPhaseOffer("F1902M", ("A Vie-Boh", "A Tri H"))],
            judge_code=CODE,
        ),
        "receipt_again": receipts.receipt(
            BOARD,
            whole,
            "FRANCE",
            [receipts.Duplicate(OPENED), receipts.EmailTooLong(501, 500)],
            judge_code=CODE,
        ),
        "receipt_homeless": receipts.receipt_without_game(
            [receipts.CommandRefused("join", Why.NO_SUCH_GAME)], judge_code=CODE
        ),
        "receipt_builds": receipts.receipt(
            BOARD,
            game(WINTER, RUSSIA=("A MOS B", "WAIVE")),
            "RUSSIA",
            [order_status.OrderTaken(read_order(text)) for text in ("A MOS B", "WAIVE")],
            judge_code=CODE,
        ),
        "reminder": notices.reminder(BOARD, spring, "FRANCE", 4 * HOUR, judge_code=CODE),
        "reminder_retreat": notices.reminder(
            BOARD, game(RETREATS), "AUSTRIA", 1 * HOUR, judge_code=CODE
        ),
        "late_notice": notices.late_notice(BOARD, late(game()), "TURKEY", judge_code=CODE),
        "late_notice_others": notices.late_notice(BOARD, late(game()), None, judge_code=CODE),
        **{
            f"late_notice_{nmr.value}": notices.late_notice(
                BOARD, late(game(house_rules=HouseRules(nmr=nmr))), "TURKEY", judge_code=CODE
            )
            for nmr in Nmr
            if nmr is not HouseRules().nmr
        },
        "late_notice_nobody": notices.late_notice(BOARD, vacant(game()), None, judge_code=CODE),
        "deadline_moved": notices.deadline_change(
            BOARD, game(), OPENED, "Everybody is at the con.", judge_code=CODE
        ),
        "vacancy": notices.vacancy(BOARD, vacant(game()), "TURKEY", "nmr", judge_code=CODE),
        "forwarded": notices.Forwarded(
            heading=heading_of(BOARD, game(), CODE),
            power="TURKEY",
            lines=("Could we have more time?",),
            daily=True,
        ),
        "takeover": notices.takeover(BOARD, game(WINTER), "TURKEY", "TURKEY", judge_code=CODE),
        "takeover_others": notices.takeover(BOARD, game(), "TURKEY", None, judge_code=CODE),
        "protection": notices.protection(BOARD, game(), "TURKEY", judge_code=CODE),
        "civil_disorder": notices.CivilDisorder(
            heading=heading_of(BOARD, game(), CODE), power="TURKEY"
        ),
        "game_over": game_over(ended(game(WINTER)), closing=CLOSING),
        **press_samples(BOARD, game(), game(house_rules=FORGERS)),
        "help": help_on(None),
        "help_press": help_on("press"),
        "help_unknown": help_pages.help_page(None, {}, asked="../../etc/passwd", judge_code=CODE),
        "confirm_join": confirmation_emails.ConfirmJoin(
            heading=Heading(CODE, board=BOARD),
            game="dogger",
            preferences=(("RUSSIA",), ("TURKEY",)),
        ),
        "confirm_mail": confirmation_emails.ConfirmMail(
            heading=HEADING,
            received=OPENED,
            lines=("RESIGN", "Sorry, all."),
            doubt=ConfirmationReason.RESIGN,
            code="KDRW-TPMZ",
        ),
        "confirm_mail_tapped": addressed_to_reader(
            confirmation_emails.ConfirmMail(
                heading=HEADING,
                received=OPENED,
                lines=("A Par H",),
                doubt=ConfirmationReason.ELSEWHERE,
            ),
            Answer("judge+token@judge.example"),
            "Asia/Tokyo",
        ),
        "reminder_tapped": addressed_to_reader(
            notices.reminder(BOARD, spring, "FRANCE", 4 * HOUR, judge_code=CODE),
            Answer("judge@judge.example", "[#token]"),
            None,
        ),
        "letter_gathered": addressed_to_reader(
            press_samples(BOARD, spring, spring)["letter"],
            Answer("judge+token@judge.example"),
            None,
            gathered=True,
        ),
        "digest": Digest(
            heading=HEADING,
            subjects=("JUDG:dogger - Vacancy: France", "JUDG:fisher - Press from Italy"),
            games=2,
        ),
        "digest_of_one_game": Digest(
            heading=heading_of(BOARD, spring, CODE),
            subjects=("JUDG:dogger - Press from Italy to France",) * 3,
            games=1,
        ),
        "history": game_history.History(
            heading=heading_of(BOARD, game(), CODE), pages=3, left_out=2
        ),
        "summary": game_history.summary(
            BOARD,
            ended(game(WINTER)),
            Observer(),
            [RETREATS, WINTER],
            {"FRANCE": (Tenure("ann", None), Tenure("bob", Phase.parse("F1902M")))},
            judge_code=CODE,
            began=OPENED,
        ),
        "who_game": listings.who_game(
            BOARD, vacant(game()), Observer(), HANDLES, (), "mod", judge_code=CODE
        ),
        "who_game_moderator": listings.who_game(
            BOARD,
            game(),
            Moderator(),
            HANDLES,
            (),
            "mod",
            judge_code=CODE,
            contacts=(
                Contact("FRANCE", "anna", "Anna Archer", "anna@example.org"),
                Contact("GERMANY", "player-3f2a1c", "", "bert@example.org"),
            ),
        ),
        "receipt_of_create": receipts.receipt(
            BOARD,
            forming(),
            None,
            [receipts.GameOpened("dogger", forming().house_rules, BOARD)],
            judge_code=CODE,
        ),
        "receipt_with_a_handle": receipts.receipt(
            BOARD,
            forming(),
            None,
            [
                receipts.CommandDone("join", "dogger"),
                receipts.HandleGiven("Anna"),
            ],
            judge_code=CODE,
        ),
        "who_game_forming": listings.who_game(
            BOARD, forming(), Observer(), {}, ("ann", "bert"), None, judge_code=CODE
        ),
        "moderator_welcome": game_start.ModeratorWelcome(
            heading=heading_of(BOARD, forming(), CODE)
        ),
        "confirm_create": confirmation_emails.ConfirmJoin(
            heading=Heading(CODE, board=BOARD), game="dogger", wish=JoinRequest.CREATE
        ),
        "board_map": board_map(BOARD.start, {"FRANCE": ("A PAR - BUR",)}),
        "board_map_undrawn": board_map(BOARD.start, drawn=False),
        "board_map_closed": board_map_closed(),
        "explanation": explanation(),
        "explanation_in_a_blind_game": explanation(blind=True),
        "what_if": what_if(),
        "unknown": confirmation_emails.UnknownSender(heading=HEADING),
        "which game": confirmation_emails.UnknownSender(
            heading=HEADING,
            games=("baltic", "dogger"),
            lines=("When is the deadline?",),
            meant=("JOIN amber",),
        ),
        "door": confirmation_emails.Door(
            heading=HEADING,
            games=(OpenGame(name="dogger", board=BOARD, movement=72 * HOUR, places=4),),
            orders=("A Par-Bur",),
            no_commands=("FOOBAR",),
            languages=("de", "fr"),
        ),
        "door_again": confirmation_emails.Door(
            heading=HEADING, games=(), again=True, languages=("de", "fr")
        ),
        "stopped": confirmation_emails.Stopped(heading=HEADING),
        "confirm_join_unlisted": confirmation_emails.ConfirmJoin(
            heading=Heading(CODE, board=BOARD), game="lepnato", near=("lepanto",)
        ),
        "confirm_many": confirmation_emails.ConfirmMail(
            heading=HEADING,
            received=OPENED,
            lines=(),
            doubt=ConfirmationReason.MANY,
            waiting=(
                HeldEmail(17, OPENED, ("A Par-Bur",)),
                HeldEmail(18, OPENED, ("A", "B", "C", "D", "E")),
            ),
            count=3,
        ),
        "at_the_door_no_game": confirmation_emails.CannotJoin(
            heading=HEADING, game="no_game", door=JoinRefusal.NO_GAME, near=("lepanto",)
        ),
        "at_the_door_over": confirmation_emails.CannotJoin(
            heading=HEADING, game="dogger", door=JoinRefusal.OVER
        ),
        "at_the_door_asked": confirmation_emails.CannotJoin(
            heading=HEADING, game="dogger", door=JoinRefusal.ASKED
        ),
        "asked_again": confirmation_emails.AskedAgain(
            heading=HEADING, purpose="confirm", received=OPENED, lines=("A Par-Bur",)
        ),
        "asked_again_code": confirmation_emails.AskedAgain(
            heading=HEADING, purpose="address", code="KDRW-TPMZ"
        ),
        "asked_again_marked": confirmation_emails.AskedAgain(
            heading=HEADING,
            purpose="confirm",
            received=OPENED,
            lines=("A Par-Bur",),
            code="KDRW-TPMZ",
            marked=True,
        ),
        "settled": confirmation_emails.AlreadyAnswered(heading=HEADING, counted=True),
        "settled_elsewhere": confirmation_emails.AlreadyAnswered(heading=HEADING, elsewhere=True),
        "last_answer": confirmation_emails.LastAnswer(heading=HEADING),
        "confirm_moderator": confirmation_emails.ConfirmModerator(
            heading=HEADING, game="dogger", code="KDRW-TPMZ"
        ),
        "confirm_address": confirmation_emails.ConfirmAddress(
            heading=HEADING, address="anna@example.org", code="KDRW-TPMZ"
        ),
        "address_changed": confirmation_emails.AddressChanged(
            heading=HEADING, address="anna@example.org", primary=True
        ),
        "unreadable": confirmation_emails.Unreadable(heading=HEADING, received=OPENED),
        "lost_reply": confirmation_emails.LostReply(
            heading=heading_of(BOARD, game(), CODE), paused=False
        ),
        "lost_reply_of_stranger": confirmation_emails.LostReply(heading=HEADING, paused=False),
        "variants": listings.VariantList(
            heading=HEADING, boards=(load_map("fva"), BOARD), asked="atlantis"
        ),
        "variant": variant_page(load_map("ancient-med")),
        "games": game_list(forming(), vacant(game()), over=2),
        "games_over": game_list(ended(game(WINTER)), page=listings.ListPage(number=2, pages=3)),
        "status": listings.status(
            BOARD, vacant(late(game(WINTER))), Player("RUSSIA"), HANDLES, judge_code=CODE
        ),
        "rolled_back": game_news.game_news(
            BOARD,
            game(),
            "FRANCE",
            game_news.RolledBack(("S1901M", "F1901M"), 3, "A fleet was misread.", restored=False),
            judge_code=CODE,
        ),
        "rolled_back_restored": game_news.game_news(
            BOARD,
            game(),
            None,
            game_news.RolledBack(("S1901M",), 0, "", restored=True),
            judge_code=CODE,
        ),
        "rolled_forward": game_news.game_news(
            BOARD,
            game(),
            "FRANCE",
            game_news.RolledForward(("S1901M",), "It was right.", restored=False),
            judge_code=CODE,
        ),
        "unstarted": game_news.game_news(
            BOARD,
            forming(),
            None,
            game_news.Unstarted("S1901M", "Somebody is missing."),
            judge_code=CODE,
        ),
        "restored": game_news.game_news(
            BOARD,
            game(),
            "FRANCE",
            game_news.Restored(datetime(2026, 11, 22, 3, 31, tzinfo=UTC), paused=False),
            judge_code=CODE,
        ),
        "restored_late": game_news.game_news(
            BOARD,
            late(game()),
            "FRANCE",
            game_news.Restored(
                datetime(2026, 11, 22, 3, 31, tzinfo=UTC),
                grace_end=datetime(2026, 11, 28, 19, tzinfo=UTC),
            ),
            judge_code=CODE,
        ),
        "restored_forming": game_news.game_news(
            BOARD,
            forming(),
            None,
            game_news.Restored(datetime(2026, 11, 22, 3, 31, tzinfo=UTC), paused=False),
            judge_code=CODE,
        ),
        "corrected": game_news.game_news(
            BOARD, game(), "FRANCE", game_news.Corrected("An army was lost."), judge_code=CODE
        ),
        "rules_changed": game_news.game_news(
            BOARD,
            game(),
            "FRANCE",
            game_news.rules_changed(
                BERLIN, replace(BERLIN, press=Press.NONE, reminder_hours=(12 * HOUR,)), "datc"
            ),
            judge_code=CODE,
        ),
        **{
            name: game_news.game_news(BOARD, game(), "FRANCE", told, judge_code=CODE)
            for name, told in table.items()
        },
        "desk_mail": game_news.DeskMail(
            heading=game_start.rules_sheet(BOARD, game(), judge_code=CODE).heading,
            decisions=(
                moderator_tasks.ExtensionWanted("ITALY", 24 * HOUR),
                moderator_tasks.LatePlayer("FRANCE"),
                moderator_tasks.PhaseOverdue("S1901M"),
                moderator_tasks.PausedGame(OPENED),
                moderator_tasks.CanBegin(5),
            ),
            vacant=("TURKEY",),
        ),
        **news_samples(BOARD, game(), DEADLINE, CODE),
        "desk_mail_empty": game_news.desk_mail(BOARD, game(), judge_code=CODE),
        "rules_sheet": game_start.rules_sheet(BOARD, game(), judge_code=CODE),
        "undelivered": notices.Undelivered(
            heading=heading_of(BOARD, game(), CODE), power="TURKEY", kind="phase_results"
        ),
        "held": notices.PhaseHeld(heading=heading_of(BOARD, game(), CODE), due=DEADLINE),
        "unread": notices.UnreadMail(heading=heading_of(BOARD, game(), CODE), power="TURKEY"),
        "status_forming": listings.status(BOARD, forming(), Observer(), {}, judge_code=CODE),
    }
