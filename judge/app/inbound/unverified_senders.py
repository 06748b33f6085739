"""Emails of unverified senders: held until confirmed, or answered with help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import assert_never

from judge.app.commands import queries
from judge.app.commands.answers import answer_questions
from judge.app.commands.context import MailContext, discard_held
from judge.app.commands.email_lines import foreign_commands
from judge.app.commands.join import Join, Observe, StandBy, with_join_completed
from judge.app.commands.rules import (
    Create,
    ShowVariants,
    options_unread,
    refused_creation,
    requested_game,
    rules_taken,
    variant_asked,
)
from judge.app.commands.sessions import (
    command_of,
    holds_no_request,
    is_sign_on_refused,
)
from judge.app.identity import Doubtful, only_game
from judge.app.inbound import door as entrance
from judge.app.inbound.confirmation_replies import DENIED
from judge.app.inbound.questions import (
    HELD_WITHOUT_QUESTION,
    ask_whether_theirs,
    send_question,
)
from judge.app.inbound.wishes_of_strangers import (
    note_missed_of_stranger,
    readings_of_stranger,
    wishes_of_stranger,
)
from judge.app.outbound.queue import EmailDraft as Outgoing
from judge.app.outbound.queue import ReplyMeaning, queue_email, token_for
from judge.app.ports.inbox import PROCESSED, InboxState, MailOutcome
from judge.app.ports.judge import Judge
from judge.app.ports.people import Person, Purpose, Token
from judge.game.commands import decide
from judge.game.decision import Accepted, Refused
from judge.game.game_state import Game, Stage
from judge.game.game_summary import vacant_powers
from judge.game.players.creation import GAME_NAME
from judge.mail.headers import GAME_IN_SUBJECT
from judge.mail.intents.reading import Verdict
from judge.mail.language import command_syntax
from judge.notation.terms import closest_matches
from judge.reports.emails import confirmation_emails, receipts
from judge.reports.emails.confirmation_emails import (
    ConfirmationReason,
    JoinRefusal,
    JoinRequest,
)
from judge.reports.emails.contexts import Context, Heading, heading_of, in_language
from judge.reports.emails.receipts import Item, RuleRefused
from judge.reports.languages import SOURCE

HELD_AT_MOST = timedelta(days=14)
FORGOTTEN_AT_ONCE = 50  # per tick

WISH_OF = {
    Join: JoinRequest.PLAY,
    StandBy: JoinRequest.WAIT,
    Observe: JoinRequest.OBSERVE,
    Create: JoinRequest.CREATE,
}
STRANGERS_MAX, STRANGER_PAUSE = 60, timedelta(minutes=2)  # replies at once, then one per pause
ANSWERS_A_DAY_MAX = 3  # to one unverified address; the last says that it is the last
ANSWERS_VERIFIED_MAX = 12  # to one from which the email comes, as our own mail server says
JOINS_MAX, JOIN_PAUSE = 60, timedelta(minutes=2)  # questions at once, then one per pause
JOINS_A_DAY_MAX = 3  # questions to one address, about one game each
GAMES = queries.ListGames(which=queries.GameFilter.FORMING, line=0, text="")
NEAR, NEAR_MAX = 0.6, 3  # how similar the name of a suggested game is
NEWCOMERS_A_TURN = 20


def answer_stranger(
    context: MailContext, parsed: Sequence[command_syntax.ParsedLine]
) -> MailOutcome:
    """Answer a stranger, a few times a day; JOIN and CREATE wait for their confirmation."""
    joins = [each for each in parsed if isinstance(each, Join | StandBy | Observe | Create)]
    if joins:
        entrance.note_language(context, parsed)
        first = joins[0]
        if isinstance(first, Join):
            first, _ = with_join_completed(first, parsed)
        return _hold_join(context, first)
    signs_on = any(isinstance(each, command_syntax.SignOn) for each in parsed)
    advice = foreign_commands(parsed)
    if not advice and not any(command_of(each).is_question for each in parsed):
        return answer_unknown(context, parsed, signs_on=signs_on)

    def pages() -> Sequence[Context]:
        code = context.judge.code
        answers = [
            *([receipts.receipt_without_game(advice, judge_code=code)] if advice else ()),
            *answer_questions(context, None, None, parsed),
        ]
        if signs_on:
            return [
                *answers,
                confirmation_emails.UnknownSender(heading=Heading(code), signs_on=True),
            ]
        if not answers or entrance.says_more(context, parsed):
            return [*answers, *_welcome(context, parsed)]
        beyond = (each for each in parsed if isinstance(each, command_syntax.TooMuch))
        unread = [receipts.EmailTooLong(each.line, each.limit) for each in beyond]
        more = [receipts.receipt_without_game(unread, judge_code=code)] if unread else ()
        return [*answers, *more]

    return _send_help(context, pages)


def answer_unknown(
    context: MailContext,
    parsed: Sequence[command_syntax.ParsedLine] = (),
    *,
    signs_on: bool = False,
) -> MailOutcome:
    """Answer an email without a known sender or game, revealing neither games nor players.

    *signs_on*: a SIGNON failed. Anybody else gets the door, below what they ask for in plain
    words: what this is, the open games, and a way to stop.
    """
    code, address = context.judge.code, context.opened.sender
    if signs_on:
        page = confirmation_emails.UnknownSender(heading=Heading(code), signs_on=True)
        return _send_help(context, lambda: [page])
    if entrance.has_stopped(context) or entrance.is_impersonal(context, parsed):
        return MailOutcome(InboxState.IGNORED, "a stranger who wants no answer")
    if address and _is_answerable(context) and entrance.wants_no_more(context, parsed):
        entrance.stop(context)
        stopped = confirmation_emails.Stopped(heading=Heading(code))
        return _send_help(context, lambda: [stopped, *entrance.about_data(context, parsed)])
    if beyond := _limit_reached(context):
        return MailOutcome(InboxState.IGNORED, beyond)
    if entrance.is_unwanted(context, parsed):
        return MailOutcome(InboxState.IGNORED, "spam, by its words")
    return _send_help(context, lambda: _welcome(context, parsed))


def _welcome(
    context: MailContext, parsed: Sequence[command_syntax.ParsedLine]
) -> Sequence[Context]:
    """Return the door, below what the writer asks for in plain words."""
    address, people = context.opened.sender, context.transaction.people
    note_missed_of_stranger(context, parsed)
    answers = wishes_of_stranger(context, parsed)
    chosen = entrance.note_language(context, parsed)
    again = not (answers or chosen) and not (
        address and people.first_today(address, "unclear", context.now)
    )
    door = entrance.door(context, parsed, again=again, language=chosen)
    creates = any(each.command.startswith("CREATE") for each in door.meant)
    return [door, *answers] if creates else [*answers, door]


def answer_unread(context: MailContext) -> MailOutcome:
    """Answer an unverified email that takes too long to read."""
    received, code = context.mail.received_utc, context.judge.code
    page = confirmation_emails.Unreadable(heading=Heading(code), received=received, too_long=True)
    return _send_help(context, lambda: [page])


def answer_lost_reply(context: MailContext) -> MailOutcome:
    """Answer a reply to an email that no longer counts since a backup was restored.

    Nothing in it is carried out: it may be meant for a phase that was never played.
    """
    judge, sender = context.judge, context.opened.sender
    person = context.transaction.people.by_address(sender) if sender else None
    game = _game_of_subject(context, person) if person else None
    if person is None or game is None:
        unknown = confirmation_emails.LostReply(heading=Heading(judge.code), paused=False)
        return _send_help(context, lambda: [unknown])
    heading = heading_of(context.board(game), game, judge.code)
    page = confirmation_emails.LostReply(heading=heading, paused=game.paused is not None)
    about = ReplyMeaning(
        game=game.name,
        power=game.power_of(person.id),
        phase=page.heading.phase.code if page.heading.phase else None,
    )
    token = token_for(context.transaction, Purpose.ORDERS, person, about)
    return _send_help(context, lambda: [page], token)


def _game_of_subject(context: MailContext, person: Person) -> Game | None:
    """Return the game of *person* that the subject of ours names, else their only one."""
    named = GAME_IN_SUBJECT.search(context.opened.subject)
    name = named[1] if named else only_game(context.transaction, person.id)
    game = context.game(name) if name else None
    return game if game and game.knows(person.id) else None


def hold_for_confirmation(
    context: MailContext, parsed: Sequence[command_syntax.ParsedLine], who: Doubtful
) -> MailOutcome:
    """Hold an email that claims to be from *who*, and ask them at their registered address."""
    if not _asks_as_a_player(parsed, who) and (
        not _has_effect(parsed) or _only_asks(context, parsed, who)
    ):
        finished = answer_stranger(context, parsed)
        if finished.state is not InboxState.IGNORED or not _is_answerable(context):
            return finished
    context.transaction.inbox.hold_for(context.mail.id, who.person.id, who.claimed.game)
    tried = [
        each
        for each in parsed
        if isinstance(each, command_syntax.SignOn) and not who.claimed.press_to
    ]
    refused = any(is_sign_on_refused(context, each, who) for each in tried)
    return ask_whether_theirs(context, parsed, who, refused=refused)


def hold_sign_on(
    context: MailContext, parsed: Sequence[command_syntax.ParsedLine], who: Doubtful
) -> MailOutcome:
    """Hold a SIGNON with the right password whose From is not an address of *who*.

    The sender gets the same answer as for a wrong password.
    """
    if not who.claimed.signs.registered:
        answer_unknown(context, signs_on=True)
    return hold_for_confirmation(context, parsed, who)


def forget_unconfirmed(judge: Judge, held: Sequence[int]) -> None:
    """Discard the *held* emails, which were not confirmed for weeks."""
    for number in held:
        with judge.database.write() as transaction:
            discard_held(judge, transaction, number, "never confirmed")


def _has_effect(parsed: Iterable[command_syntax.ParsedLine]) -> bool:
    return any(
        not (
            command_of(each).answer
            or isinstance(each, command_syntax.SignOff | command_syntax.UnknownCommand)
        )
        for each in parsed
    )


def _asks_as_a_player(parsed: Sequence[command_syntax.ParsedLine], who: Doubtful) -> bool:
    """Return whether a reply to an email of a closed phase asks for more than strangers get."""
    public = queries.Help | queries.ListGames | ShowVariants | command_syntax.SignOff
    return who.why is ConfirmationReason.CLOSED_PHASE and any(
        not isinstance(each, public) for each in parsed
    )


def _only_asks(
    context: MailContext, parsed: Sequence[command_syntax.ParsedLine], who: Doubtful
) -> bool:
    """Return whether *parsed* plainly asks, and orders nothing on any board of the writer."""
    asked = readings_of_stranger(context, parsed)
    own = context.transaction.summaries.of(who.person.id, ended=0)
    games = filter(None, (context.game(each.name) for each in own))
    boards = {context.reading_board, *map(context.board, games)}
    return any(each.verdict is Verdict.ACT for each in asked) and all(
        context.read(holds_no_request, tuple(parsed), board, courteous=False) for board in boards
    )


def _hold_join(context: MailContext, join: Join | StandBy | Observe | Create) -> MailOutcome:
    """Ask the address a JOIN came from; their id is chosen now and registered on confirmation.

    The name is checked first. An unlisted game gets the same reply as a nonexistent one.
    """
    address, name = context.opened.sender, join.game or ""
    if address is None or not _is_answerable(context):
        return MailOutcome(InboxState.IGNORED, "a stranger who cannot be asked")
    if isinstance(join, Create) and (wrong := _wrong_with(context, join)):
        refused = receipts.receipt_without_game(wrong, judge_code=context.judge.code)
        return _send_help(context, lambda: [refused])
    game = context.game_open_to(None, name) if name else None
    over = game is not None and game.stage is Stage.ENDED
    if over or (name and not GAME_NAME.fullmatch(name)):
        refusal = JoinRefusal.OVER if over else JoinRefusal.NO_GAME
        return _send_help(
            context,
            lambda: [
                _entry_page(context, name, refusal),
                *answer_questions(context, None, None, [GAMES]),
            ],
        )
    if not context.transaction.budgets.has_left("joins", JOINS_MAX, JOIN_PAUSE, context.now):
        return MailOutcome(InboxState.HELD, HELD_WITHOUT_QUESTION)
    board = context.board(game) if game else context.reading_board
    wanted, unread = (join.wanted, join.unread_on(board)) if isinstance(join, Join) else ((), "")
    rules: tuple[str, ...] = ()
    if isinstance(join, Create):
        board = context.judge.boards(variant_asked(context.judge, join))
        rules, left_out = rules_taken(join)
        words = (*options_unread(context.judge, join), *(each.pair for each in left_out))
        unread = ", ".join(words)
    # Somebody who was asked for the wrong power asks again for the right one.
    if not _may_ask_to_join(
        context, address, f"{type(join).__name__} {name} {wanted or ''}".strip()
    ):
        return _send_help(context, lambda: [_entry_page(context, name, JoinRefusal.ASKED)])
    context.transaction.budgets.spend("joins", JOINS_MAX, JOIN_PAUSE, context.now)
    newcomer = Person(context.judge.random.nonce(), "", address)
    about = ReplyMeaning(subject=str(context.mail.id))
    token = token_for(context.transaction, Purpose.JOIN, newcomer, about)
    full = isinstance(join, Join) and _is_full(context, game)
    wish = WISH_OF[StandBy if full else type(join)]  # as which JOIN counts then
    sought = name and game is None and wish is not JoinRequest.CREATE
    near = _listed_like(context, name) if sought else None
    only = len(wanted) == 1 and len(wanted[0]) == 1
    page = confirmation_emails.ConfirmJoin(
        heading=Heading(context.judge.code, board=board),
        game=name,
        power=wanted[0][0] if only else None,
        wish=wish,
        near=near,
        unread=unread,
        preferences=() if only or full else wanted,
        rules=rules,
        full=full,
    )
    page = in_language(page, entrance.language_of_stranger(context))
    send_question(context, page, address, token)
    return MailOutcome(InboxState.HELD, "unproven")


def _is_full(context: MailContext, game: Game | None) -> bool:
    if game is None or game.stage is not Stage.PLAYING:
        return False
    return not vacant_powers(context.board(game), game)


def _wrong_with(context: MailContext, parsed: Create) -> Sequence[Item]:
    """Return why a stranger cannot create this game, without revealing unlisted games."""
    name = parsed.game.lower()
    command = requested_game(context.judge, parsed, SOURCE)
    if isinstance(command, RuleRefused):
        return (command,)
    board, listed = context.reading_board, context.game_open_to(None, name)
    match decide(board, listed, command, context.now):
        case Refused(why=why):
            return refused_creation(context, parsed, why)
        case Accepted():
            return ()
        case other:
            assert_never(other)


def ask_newcomers(judge: Judge, waiting: Sequence[int]) -> None:
    """Send the questions about the *waiting* JOINs, which exceeded the limit before."""
    with judge.database.read() as transaction:
        now = judge.clock.now()
        if not transaction.budgets.has_left("joins", JOINS_MAX, JOIN_PAUSE, now):
            return
    for number in waiting:
        with judge.database.write() as transaction:
            transaction.inbox.restart(number)


def _may_ask_to_join(context: MailContext, address: str, what: str) -> bool:
    """Return whether to ask *address* about *what*: once a day, and about few games.

    Somebody who has answered NO may change their mind.
    """
    people, now = context.transaction.people, context.now
    denied = bool(people.notes_on_stranger(address, (DENIED,)))
    asks = [what, f"{what} again"] if denied else [what]
    most = JOINS_A_DAY_MAX * len(asks)
    return any(people.first_today(address, each, now) for each in asks) and any(
        people.first_today(address, f"join {time}", now) for time in range(most)
    )


def _entry_page(context: MailContext, name: str, door: JoinRefusal) -> Context:
    near = _listed_like(context, name) if door is JoinRefusal.NO_GAME else ()
    return confirmation_emails.CannotJoin(
        heading=Heading(context.judge.code), game=name, door=door, near=near
    )


def _listed_like(context: MailContext, name: str) -> tuple[str, ...]:
    names = [game.name for game in context.transaction.summaries.current(listed=True)]
    return tuple(word for like, word in closest_matches(name, names)[:NEAR_MAX] if like >= NEAR)


def _send_help(
    context: MailContext, make: Callable[[], Iterable[Context]], token: Token | None = None
) -> MailOutcome:
    """Send the pages that *make* returns; the last reply of a day says that it is the last.

    They are made only if the sender may have them.
    """
    if beyond := _limit_reached(context):
        return MailOutcome(InboxState.IGNORED, beyond)
    address, people, now = context.opened.sender, context.transaction.people, context.now
    assert address is not None, "it can be answered"
    if not _is_known(context):
        context.transaction.budgets.spend("strangers", STRANGERS_MAX, STRANGER_PAUSE, now)
    answers = _answers_today(context)
    answer = next(each for each in answers if people.first_today(address, f"answer {each}", now))
    pages = [*make()]
    if answer == answers[-1]:
        pages.append(confirmation_emails.LastAnswer(heading=Heading(context.judge.code)))
    language = entrance.language_of_stranger(context)
    entrance.note_language_spoken(context)
    draft = Outgoing(
        contexts=tuple(in_language(each, language) for each in pages),
        cause=context.cause,
        address=address,
        token=token,
        game=token.game if token else None,
        person=token.person if token else None,
        answers=context.answered,
    )
    queue_email(context.judge, context.transaction, draft, context.now)
    return PROCESSED


def _limit_reached(context: MailContext) -> str | None:
    """Return why the sender gets no answer now, None if they may get one."""
    address, people, now = context.opened.sender, context.transaction.people, context.now
    if address is None or not _is_answerable(context):
        return "the sender cannot be answered"
    if not _is_known(context) and not context.transaction.budgets.has_left(
        "strangers", STRANGERS_MAX, STRANGER_PAUSE, now
    ):
        return "too many strangers write"
    if all(
        people.answered_today(address, f"answer {each}", now) for each in _answers_today(context)
    ):
        return "a stranger who was answered already"
    return None


def _answers_today(context: MailContext) -> range:
    return range(1, (ANSWERS_VERIFIED_MAX if context.proof.verified else ANSWERS_A_DAY_MAX) + 1)


def _is_answerable(context: MailContext) -> bool:
    return (
        context.opened.sender is not None
        and context.opened.answerable
        and not context.proof.forged
    )


def _is_known(context: MailContext) -> bool:
    """Return whether the address is registered: limits for strangers do not apply."""
    sender = context.opened.sender
    return sender is not None and context.transaction.people.by_address(sender) is not None
