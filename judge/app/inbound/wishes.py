"""Wishes in people's own words: acted on as a command, offered with one tap, or asked about.

Only sentences that nothing else has taken get here. A wish is nothing but a command line, which
goes through the same table, rights and confirmations as one that somebody typed.

This reads within the transaction, unlike all else that looks for meaning in a text: its work is
bounded whatever the text (a dozen sentences, a millisecond), and the process that reads elsewhere
may not open the operator's examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice, pairwise

from judge.app.commands.command import Scope
from judge.app.commands.context import MailContext, Session
from judge.app.commands.dispatch import handle_part
from judge.app.commands.forwarding import NOTHING_WISHED, Wished, below_opening, without
from judge.app.commands.offered_press import is_unsent
from judge.app.commands.order_offers import choices_before, orders_before, other_build
from judge.app.commands.press import handles_of
from judge.app.commands.preview import orders_supposed
from judge.app.commands.profile import FORM as HANDLE
from judge.app.commands.profile import has_given_handle
from judge.app.commands.prose import is_acted_on
from judge.app.commands.sessions import Part
from judge.app.commands.table import COMMAND_OF
from judge.app.commands.time_zones import commands_for_zone, is_zone
from judge.app.commands.votes import answers_proposal, vote_choices
from judge.app.identity import is_subject_of_ours
from judge.app.inbound.created_games import create_line
from judge.game.calendar import local
from judge.game.deadlines import extension_answered
from judge.game.game_state import Game, Stage
from judge.game.game_summary import vacant_powers
from judge.game.house_rules import DrawAmong
from judge.game.visibility import Player, view
from judge.game.voting import proposal_answered
from judge.mail.body import Line
from judge.mail.intents import installed
from judge.mail.intents.command_lines import NAME, WATCHING, commands_of
from judge.mail.intents.features import plain
from judge.mail.intents.known import Known, names_in
from judge.mail.intents.reading import (
    ENTERING,
    TAKE_OVER,
    VOTES,
    Reading,
    Verdict,
    may_be_vote,
    missed,
    read_wishes,
)
from judge.mail.intents.sentences import sentences_in
from judge.mail.intents.weights import Weights
from judge.mail.intents.wish_files import Effect, Role, Wish
from judge.mail.language.command_syntax import OrdersOfPhase, OrderText, UnknownCommand
from judge.mail.language.confirmations import CLAUSE, Confirm, plain_answer
from judge.mail.language.previews import Preview
from judge.mail.reader.courtesies import is_courtesy
from judge.mail.reader.phase_hints import holds_order
from judge.notation.order_text import write_short
from judge.notation.terms import names_of
from judge.reports.emails import receipts
from judge.reports.emails.contexts import Context
from judge.reports.emails.explanations import WhatIf
from judge.reports.emails.help_pages import Help
from judge.reports.emails.receipts import Item
from judge.rules.board import Map
from judge.rules.types import Power

ACTS_MAX = 3  # of one email
SHORT_ANSWER_MAX = 6  # words
ACTS_A_DAY_MAX, ACT_PAUSE = 10, timedelta(hours=2, minutes=24)  # at once, then one per pause
PIECES_JOINED_MAX = 20  # of an email, between which the reader of orders has split sentences
MISSED_MAX = 3  # sentences of an email that are noted as not understood
MISSED_AT_ONCE, MISSED_PAUSE = 200, timedelta(minutes=10)  # then one per pause
PAUSE = re.compile(r"\bpause\b", re.IGNORECASE)  # in all languages
OF_EMAIL = re.compile(  # which may have given none of the orders
    r"\b(?:e?-?mails?|messages?|nachricht(?:en)?|courriels?|meant|bestimmt|gedacht|destin\xe9\w*)\b",
    re.IGNORECASE,
)
FROM = ("in", "from", "aus", "\xe0")  # before a place where somebody lives
ZONE_OF = {"de": "Europe/Berlin", "fr": "Europe/Paris"}  # that somebody means by `German time`
TRYING, CANCELING = "what_if", "cancel_orders"  # wishes
SUPPOSED = re.compile(  # before orders that are not given
    r"\b(?:(?:what|was) (?:happens|would happen|passiert|w\xfcrde passieren|w\xe4re)"
    r"(?: (?:eigentlich|denn|actually))?,? (?:if|when|wenn)"
    r"|what if|et si|que se pass\w+(?:-t-il)?,? si|suppose(?: that)?|imagine"
    r"|angenommen|supposons que|also|too|auch|aussi)\b",
    re.IGNORECASE,
)
I_AM = re.compile(  # before one's name, and perhaps before something else
    r"(?:(?:hi|hello|hallo|salut)\W+)?"
    r"(?:(my name(?: is|'s)|mein name ist|ich hei(?:ss|\xdf)e|je m'appelle|mon nom est)"
    r"|i am|i'm|call me|ich bin|je suis|moi c'est) (?=\S+$)",
    re.IGNORECASE,
)
WRITING = "write_press"  # a wish
ABOUT = "about"  # a page, each paragraph of which answers another question
RESIGNING = "resign"  # a wish, whose code confirms the whole email
ASKED_BY_COMMAND = frozenset({"same_orders", "stop_mail", RESIGNING})  # whose commands only ask
SHOWN_BY_RECEIPT, SAID = 0.45, 0.5  # probabilities
IN_RECEIPT = frozenset({"deadline", "orders_ok"})  # wishes that a receipt answers by itself
OF_GAME = frozenset({Scope.GAME, Scope.POWER, Scope.MODERATOR})  # commands
OF_OPEN_PHASE = frozenset(
    {
        *("orders_ok", "ready", "wait", "cancel_orders", "unit_options"),
        *("extension", "process_now", "set_deadline", "draw", "concede"),
    }
)


@dataclass(frozen=True, slots=True)
class WishesAnswered:
    """The answers to the wishes of an email: *items* for the receipt, *pages* below it.

    *wished* are the sentences that the items speak of.
    """

    items: tuple[Item, ...] = ()
    pages: tuple[Context, ...] = ()
    wished: Wished = NOTHING_WISHED


@dataclass(frozen=True, slots=True)
class _Answered:
    """The answer to one wish; if it is *met*, its sentence is of no interest to a moderator."""

    items: tuple[Item, ...] = ()
    pages: tuple[Context, ...] = ()
    met: bool = True


def answer_wishes(context: MailContext, part: Part, items: Sequence[Item]) -> WishesAnswered:
    """Act on the wishes in what *items* call ignored or not understood, or offer to."""
    session = part.session
    game = context.game(session.game) if session else None
    if session is None or game is None:
        return WishesAnswered()
    session = replace(session, power=session.dummy or game.power_of(session.person.id))
    part = replace(part, session=session)
    closed = frozenset(_closed(session, game))
    unread = _joined([*_unread(part, items)], context.opened.text.fresh)
    sentences = sentences_in(unread)
    acted = any(map(is_acted_on, items))
    in_words = not acted and all(isinstance(each, OrderText | Confirm) for each in part.parsed)
    offered = any(isinstance(each, receipts.WishOffered) for each in items)
    if in_words and not (sentences or offered) and (choices := _choices_agreed(context, part)):
        return WishesAnswered((choices,))
    again = _offered_again(context, session, unread)
    sentences = tuple(each for each in sentences if each not in again.wished.met)
    if not sentences and in_words:
        votes = "vote_yes" not in closed
        sentences = tuple(
            each
            for each in _short_answer(context)
            if votes or not (is_courtesy(each) or _is_bare_answer(each))
        )
    if in_words and (name := _name_told(context, session, game, alone=not unread)):
        named = tuple(_done(context, part, name, f"SET HANDLE {name}"))
        return WishesAnswered(named, wished=Wished(sentences))
    topic = topic_of(context) if in_words else ""
    if (weights := installed.weights() if sentences or topic else None) is None:
        return again
    known = _known(context, session, game, closed, (*sentences, topic), acted=acted)
    answered: list[tuple[str, _Answered]] = []
    acts = 0
    read = read_wishes(sentences, known, weights, topic)
    note_missed(context, missed(sentences, read, known, weights))
    for reading in _or_votes_asked(read, " ".join(sentences), known) if in_words else read:
        typed = context.judge.commands.is_begun(reading.sentence)  # with arguments not read
        vague = reading.wishes[0] == CANCELING and OF_EMAIL.search(reading.sentence)
        beside = reading.wishes[0] == RESIGNING and not (in_words and len(read) == 1)
        held_back = typed or vague or beside or acts >= ACTS_MAX
        act = reading.verdict is Verdict.ACT and not held_back
        found = (
            _in_this_state(context, part, session, game, reading, known)
            or _offered_elsewhere(context, part, reading, known, weights)
            or _answer(context, part, reading, known, weights, act=act)
        )
        of_player = known.role is not Role.MODERATOR and found and _is_help(found)
        if of_player and _names_moderator(context, game, reading.sentence):
            found = None  # It is for a person, who gets a copy.
        acts += bool(found and act)
        answered += [(reading.sentence, found)] if found else []
    met = (sentence for sentence, each in answered if each.met)
    shown = (sentence for sentence, each in answered if not each.met)
    return WishesAnswered(
        tuple(dict.fromkeys((*again.items, *(x for _, each in answered for x in each.items)))),
        tuple(pages_of([(sentence, each.pages) for sentence, each in answered])),
        Wished((*again.wished.met, *met), tuple(shown)),
    )


def _is_help(answered: _Answered) -> bool:
    return any(isinstance(each, Help) for each in answered.pages)


def _names_moderator(context: MailContext, game: Game, sentence: str) -> bool:
    """Return whether *sentence* is for the moderator: `Margaret, can this be changed?`."""
    moderator = context.transaction.people.get(game.moderator) if game.moderator else None
    if moderator is None or has_given_handle(moderator) or game.power_of(moderator.id):
        return False
    name = re.escape(moderator.handle.split("-")[0])
    text = " ".join(line.text for line in context.opened.text.fresh)
    named = rf"\b{name}[,:!]\s*{re.escape(sentence)}|(?={re.escape(sentence)}).*?\b{name}[,:!]"
    return re.search(named, text, re.IGNORECASE) is not None


def _in_this_state(
    context: MailContext, part: Part, session: Session, game: Game, reading: Reading, known: Known
) -> _Answered | None:
    """Return the answer that the state of the game, or the rest of the email, gives to a wish."""
    return (
        _which_vote(context, session, reading, known)
        or _settled(context, part, reading)
        or _press_offered(part, reading)
        or _game_to_create(context, part, reading)
        or _tried(context, part, reading, known)
        or _nothing_to_cancel(session, game, reading)
    )


def pages_of(answered: Sequence[tuple[str, Sequence[Context]]]) -> Iterator[Context]:
    """Yield the pages that answer sentences; of HELP, each of several gets what answers it."""
    seen: list[Context] = []
    for sentence, pages in answered:
        for page in pages:
            shown = page
            if isinstance(page, Help) and len(answered) > 1 and page.topic != ABOUT:
                shown = replace(page, question=sentence)
            if shown not in seen:
                seen.append(shown)
                yield shown


def _choices_agreed(context: MailContext, part: Part) -> receipts.WishOffered | None:
    """Return what the answered receipt offers for wishes, again, if the email is a mere yes."""
    match part.parsed:
        case (Confirm(yes=True, text=text),) if part.session:
            choices = choices_before(context, part.session)
            agreed = len(choices) == 1
            offered = receipts.WishOffered(text.strip(), choices, agreed=agreed)
            return offered if choices else None
        case _:
            return None


def _offered_again(
    context: MailContext, session: Session, unread: Sequence[str]
) -> WishesAnswered:
    """Offer what somebody means who answers `Yes, south coast`, or `A fleet, after all!`."""
    for each in unread:
        agreed = plain_answer(CLAUSE.split(each, maxsplit=1)[0])
        orders = orders_before(context, session) if agreed else other_build(context, session, each)
        if orders:
            items = tuple(
                receipts.LineNotUnderstood(
                    1, each, (write_short(order, context.reading_board),), offered=order
                )
                for order in orders
            )
            return WishesAnswered(items, wished=Wished((each,)))
    return WishesAnswered()


def note_missed(context: MailContext, sentences: Iterable[str]) -> None:
    """Note the masked *sentences*, for the operator: a few of each email, and of each day."""
    for sentence in islice(sentences, MISSED_MAX):
        if context.transaction.budgets.spend("missed", MISSED_AT_ONCE, MISSED_PAUSE, context.now):
            context.transaction.missed.note(sentence, context.now)


def _unread(part: Part, items: Sequence[Item]) -> Iterator[str]:
    """Yield the sentences of *part* that nothing has taken, above a block that is misspelled."""
    private = frozenset(below_opening([*_lines_outside_blocks(part)]))
    for each in items:
        match each:
            case receipts.SentencesIgnored(lines=lines):
                yield from (line for line in lines if line not in private)
            case receipts.LineNotUnderstood(text=text, nearest=()):
                yield text
            case _:
                pass


def _lines_outside_blocks(part: Part) -> Iterator[Line]:
    for each in part.parsed:
        match each:
            case OrderText(lines=lines) | OrdersOfPhase(lines=lines):
                yield from lines
            case UnknownCommand(line=number, text=text):
                yield Line(number, text)
            case _:
                pass


def _joined(pieces: Sequence[str], lines: Sequence[Line]) -> list[str]:
    """Return *pieces* of *lines*, those of a sentence as one: `Can` and `a fleet sit in Par?`."""
    joined = [*pieces]
    for line in lines if 1 < len(pieces) <= PIECES_JOINED_MAX else ():
        here = sorted(
            (line.text.find(each), each) for each in joined if each and each in line.text
        )
        for (_, one), (_, other) in pairwise(here):
            if one[-1].isalpha() and f"{one} {other}" in line.text:
                joined[joined.index(one)] = f"{one} {other}"
                joined.remove(other)
                break
    return joined


def without_lines(context: MailContext, items: Sequence[Item], wished: Wished) -> list[Item]:
    """Return *items* without the sentences not understood that are *wished* for.

    Other items show those about which nothing was done, unless they were typed as commands.
    """
    left: list[Item] = []
    for each in items:
        if not isinstance(each, receipts.LineNotUnderstood):
            left.append(each)
            continue
        typed = each.nearest or context.judge.commands.is_begun(each.text)
        shown = () if typed else wished.shown
        if text := without(each.text, (*wished.met, *shown)):
            left.append(replace(each, text=text))
    return left


def topic_of(context: MailContext) -> str:
    """Return the subject if its writer has chosen it, and it is no command."""
    subject = context.opened.subject
    board = context.reading_board
    is_other = context.judge.commands.is_begun(subject) or holds_order(subject, board)
    ours = is_subject_of_ours(subject) or f"{context.judge.code} - " in subject
    return "" if is_other or is_courtesy(subject) or ours else subject


def _short_answer(context: MailContext) -> Iterator[str]:
    """Yield the text of an email that may be a vote, and is otherwise mere courtesy: `ok`."""
    text = " ".join(line.text.strip() for line in context.opened.text.fresh).strip()
    if 0 < len(text.split()) <= SHORT_ANSWER_MAX:
        yield text


def _is_bare_answer(text: str) -> bool:
    """Return whether *text* is a mere `Yes`, which no wish is."""
    return " " not in text and plain_answer(text) is not None


def _name_told(context: MailContext, session: Session, game: Game, *, alone: bool) -> str | None:
    """Return the name that a newcomer answers who has none yet, and was asked for one.

    The email has nothing else, or is the name *alone*, as signatures are.
    """
    said = next(_short_answer(context), "").strip(" .!,")
    found = I_AM.match(said)
    name = said[found.end() :] if found else said
    is_word = HANDLE.fullmatch(name) and plain_answer(name) is None and not is_courtesy(name)
    if game.house_rules.anonymous or not is_word:
        return None
    if found and found[1]:
        answers = True
    elif game.position or found:
        is_name = found is not None or (alone and name[:1].isupper())
        answers = is_name and _is_only_a_name(name, context.reading_board)
    else:
        answers = session.answered is not None and (alone or name.islower())
    return name if answers and has_given_handle(session.person) else None


def _is_only_a_name(word: str, board: Map) -> bool:
    """Return whether *word* is no everyday one, and no province."""
    weights = installed.weights()
    everyday = weights is None or plain(word) in weights.rows
    return not everyday and not names_of(board).find(word)


def _done(context: MailContext, part: Part, said: str, line: str) -> Iterator[Item]:
    """Do what the command *line* says, as which the words *said* were read."""
    parsed = context.judge.commands.read(Line(0, line), context.reading_board, first=False)
    assert parsed, "it is a command"
    yield receipts.WishUnderstood(said, line, "")
    done = handle_part(context, replace(part, parsed=(parsed,)))
    yield from (each for each in done if not isinstance(each, Context))


def _known(
    context: MailContext,
    session: Session,
    game: Game,
    closed: frozenset[str],
    texts: Iterable[str],
    *,
    acted: bool,
) -> Known:
    person = session.person.id
    role, is_moderator = Role.OBSERVER, person == game.moderator
    if session.power or person in game.joined:
        role = Role.PLAYER
    elif is_moderator:
        role = Role.MODERATOR
    likely = {"back"} if person in game.absences else set[str]()
    likely |= {TAKE_OVER} if _power_offered(session, game) else set()
    asked = extension_answered(game, session.answered) if is_moderator else None
    answers = answers_proposal(game, session.answered) or asked is not None
    named = {name for each in texts for name in names_in(each)}
    others = {each.name for each in context.transaction.summaries.listed_among(named)}
    zone = session.person.zone or game.house_rules.zone
    board = context.board(game)
    open_here = vacant_powers(board, game) and role is Role.OBSERVER
    return Known(
        role=role,
        board=board,
        only_open=game.name if open_here else "",
        people=handles_of(context, game),
        games=frozenset(others | {*context.transaction.summaries.names_of(person)}),
        today=local(context.now, zone).date(),
        closed=closed,
        likely=frozenset(likely | {*VOTES}) if answers else frozenset(likely),
        answers_proposal=answers,
        acted=acted,
        waits=game.phase is not None and session.power in game.phase.waiting,
        joined=person in game.joined and game.position is None,
        asked=asked or "",
        deadline=local(game.phase.deadline, zone).date() if game.phase else None,
        watched=game.name if role is Role.OBSERVER else "",
        draws_with=session.power if game.house_rules.draw_among is DrawAmong.NAMED else None,
    )


def _closed(session: Session, game: Game) -> Iterator[str]:
    """Yield the wishes that nobody can have in this state of the game."""
    if game.phase is None:
        yield from OF_OPEN_PHASE
    if game.stage is not Stage.FORMING:
        yield "start_game"
    if session.person.id not in game.absences:
        yield "back"
    yield "observe" if session.person.id in game.observers else "unobserve"
    yield "pause" if game.paused else "resume"
    if not game.replayed:
        yield "rollforward"
    answers = proposal_answered(game, session.answered) in game.proposals
    asked = extension_answered(game, session.answered)
    may_vote = session.power and vote_choices(game, session.power)
    if not (may_vote or answers or asked):
        yield from VOTES


def _or_votes_asked(read: Sequence[Reading], text: str, known: Known) -> Sequence[Reading]:
    """Return *read*, or which vote a player may mean whose answer to a proposal is not plain."""
    answers = known.answers_proposal and known.role is Role.PLAYER and may_be_vote(text)
    if not answers or any(
        each.verdict is not Verdict.ASK and each.probability >= SAID for each in read
    ):
        return read
    wishes = ("vote_question",) if "?" in text else VOTES
    return (Reading(text, Verdict.ASK, wishes, {}, 0.0, text),)


def _may_vote_on(context: MailContext, part: Part) -> bool:
    """Return whether the vote that the email has just cast can still be changed."""
    game = context.game(part.session.game) if part.session else None
    return bool(game and (game.proposals or game.pause_votes))


def _which_vote(
    context: MailContext, session: Session, reading: Reading, known: Known
) -> _Answered | None:
    """Ask which vote is meant where several are open, and the email is about none of them."""
    sentence, game = reading.sentence, context.game(session.game)
    said = known.answers_proposal or PAUSE.search(sentence)
    if said or reading.wishes[0] not in VOTES or not (game and session.power):
        return None
    choices = vote_choices(game, session.power)
    if len(choices) <= len(VOTES):
        return None
    return _Answered((receipts.WishOffered(sentence, choices),), met=False)


def _votes_meant(
    context: MailContext, part: Part, known: Known, sentence: str
) -> tuple[str, str] | tuple[()]:
    """Return a yes and a no to what is answered or named, nothing for the latest proposal."""
    if "pause" not in known.closed and PAUSE.search(sentence):
        return ("VOTE PAUSE", "VOTE RESUME")
    game = context.game(part.session.game) if part.session else None
    number = proposal_answered(game, part.session.answered) if game and part.session else None
    if game is None or number is None or number == max(game.proposals, default=0):
        return ()
    return (f"VOTE {number} YES", f"VOTE {number} NO")


def _answer(
    context: MailContext,
    part: Part,
    reading: Reading,
    known: Known,
    weights: Weights,
    *,
    act: bool,
) -> _Answered | None:
    wish, sentence = weights.wishes[reading.wishes[0]], reading.sentence
    lines = _commands_meant(wish, reading, known)
    undo = "" if known.asked else wish.undo
    if votes := _votes_meant(context, part, known, sentence) if wish.name in VOTES else ():
        line, undo = votes if wish.name == "vote_yes" else votes[::-1]
        lines = (line,)
    if wish.name == "ready" and known.waits:
        lines, undo = ("NOWAIT",), "WAIT"
    answered = receipts.QuestionsAnswered((sentence,))
    in_receipt = known.deadline and known.role is Role.PLAYER and wish.name in IN_RECEIPT
    if in_receipt and reading.probability >= SHOWN_BY_RECEIPT:
        by_orders = known.acted and wish.name == "orders_ok"  # which stand above
        return _Answered((replace(answered, above=by_orders),))
    harmless = wish.effect is not Effect.CONFIRM or wish.name in ASKED_BY_COMMAND
    if not (act and harmless and len(lines) == 1):
        return _offer(reading, known, weights)
    if known.deadline and known.role is not Role.MODERATOR and wish.name == "who_missing":
        return _Answered((receipts.MissingOrdersSecret(sentence),))
    parsed = context.judge.commands.read(Line(0, lines[0]), context.reading_board, first=False)
    asks = parsed is not None and COMMAND_OF[type(parsed)].is_question
    how = wish.effect is Effect.ANSWER and known.role is Role.MODERATOR and bool(wish.moderator)
    if parsed is None or not (asks or (not how and _may_act_today(context, part))):
        return _offer(reading, known, weights)
    if wish.name == "stop_mail":
        parsed = replace(parsed, text=sentence)  # what its offer quotes
    done = tuple(handle_part(context, replace(part, parsed=(parsed,))))
    items = tuple(each for each in done if not isinstance(each, Context))
    pages = tuple(each for each in done if isinstance(each, Context))
    if near := _misfit(items, wish):
        choices = tuple(receipts.WishChoice(wish.name, line) for line in near)
        return _Answered((receipts.WishOffered(sentence, choices),), met=False)
    offered = any(isinstance(each, receipts.WishOffered) for each in items)
    if not offered:
        refused = any(isinstance(each, receipts.CommandRefused) for each in items)
        decided = wish.name in VOTES and not _may_vote_on(context, part)
        done_so = receipts.WishUnderstood(sentence, lines[0], "" if refused or decided else undo)
        items = (answered if asks else done_so, *items)
    only_help = asks and lines[0] == wish.without and lines[0].startswith("HELP")
    return _Answered(items, pages, met=not (offered or only_help))


def _press_offered(part: Part, reading: Reading) -> _Answered | None:
    """Return that `Could you pass this on?` is about the press that the receipt offers to send."""
    unsent = any(map(is_unsent, part.parsed))
    return _Answered() if unsent and reading.wishes[0] == WRITING else None


def _game_to_create(context: MailContext, part: Part, reading: Reading) -> _Answered | None:
    """Offer the CREATE line for a game that somebody describes, above its page of HELP."""
    [wish, *_] = reading.wishes
    line = create_line(context, wish, reading)
    page = context.judge.commands.read(Line(0, "HELP CREATE"), context.reading_board, first=False)
    if line is None or page is None:
        return None
    pages = handle_part(context, replace(part, parsed=(page,)))
    offered = receipts.WishOffered(reading.sentence, (receipts.WishChoice(wish, line),))
    return _Answered((offered,), tuple(each for each in pages if isinstance(each, Context)))


def _tried(context: MailContext, part: Part, reading: Reading, known: Known) -> _Answered | None:
    """Show what would come of the orders in an email that only asks about them."""
    game = context.game(part.session.game) if part.session else None
    power = part.session.power if part.session else None
    if reading.wishes[0] != TRYING or not (game and power and known.deadline):
        return None
    seen = view(game, Player(power), known.board).position
    fresh = " ".join(line.text for line in context.opened.text.fresh)
    text = SUPPOSED.sub(" ", fresh).replace("?", ".")
    others: tuple[str, ...] = ()
    if seen:
        text, others = context.read(orders_supposed, known.board, seen, power, text)
    lines = tuple(Line(number, each) for number, each in enumerate((text, *others), 1))
    orders = Preview(line=1, text=reading.sentence, lines=lines, own=bool(others))
    answers = handle_part(context, replace(part, parsed=(orders,)))
    pages = (each for each in answers if isinstance(each, Context))
    tried = tuple(each for each in pages if others or (isinstance(each, WhatIf) and not each.own))
    answered = receipts.QuestionsAnswered((reading.sentence,))
    return _Answered((answered,), tried) if tried else None


def _nothing_to_cancel(session: Session, game: Game, reading: Reading) -> _Answered | None:
    """Answer somebody who takes back an email, and has no orders in this phase."""
    standing = game.phase.standing.get(session.power, ()) if game.phase and session.power else ()
    if standing or reading.wishes[0] != CANCELING or game.phase is None:
        return None
    answered = receipts.QuestionsAnswered((reading.sentence,))
    return _Answered((answered, receipts.CommandDone("nothing_to_cancel")), met=False)


def _offered_elsewhere(
    context: MailContext, part: Part, reading: Reading, known: Known, weights: Weights
) -> _Answered | None:
    """Offer what a wish means for the other one of the writer's games that it names."""
    wish, game = weights.wishes[reading.wishes[0]], reading.slots.get("game")
    here = part.session and game in (None, part.session.game)
    if game is None or here or part.person is None or "{game}" in wish.command:
        return None
    lines, read = _commands_meant(wish, reading, known), context.judge.commands.read
    parsed = [read(Line(0, each), context.reading_board, first=False) for each in lines]
    of_game = any(each and COMMAND_OF[type(each)].scope in OF_GAME for each in parsed)
    if not of_game or game not in context.transaction.summaries.names_of(part.person.id):
        return None
    choices = tuple(receipts.WishChoice(wish.name, f"GAME {game}: {each}") for each in lines)
    return _Answered((receipts.WishOffered(reading.sentence, choices),), met=False)


def _settled(context: MailContext, part: Part, reading: Reading) -> _Answered | None:
    """Answer a wish for a power that the writer has or is offered, or for a game they watch."""
    [wish, *_], session = reading.wishes, part.session
    game = context.game(session.game) if session else None
    if not (game and session) or reading.slots.get("game", game.name) != game.name:
        return None
    person = session.person.id
    watches = wish == WATCHING[0] and person in game.observers
    offered = _power_offered(session, game)
    own = (session.power or offered) if wish in ENTERING else None
    if not watches and not (own and reading.slots.get("power", offered) == own):
        return None
    line = f"OBSERVE {game.name}" if watches else f"JOIN {game.name} {own}"
    if own == offered and (reading.verdict is not Verdict.ACT or "?" in reading.sentence):
        choice = receipts.WishChoice(wish, line)
        return _Answered((receipts.WishOffered(reading.sentence, (choice,)),), met=False)
    return _Answered(tuple(_done(context, part, reading.sentence, line)))


def _power_offered(session: Session, game: Game) -> Power | None:
    """Return the power that is reserved for a standby."""
    person = session.person.id
    return next((each for each, offer in game.offers.items() if offer.person == person), None)


def _commands_meant(wish: Wish, reading: Reading, known: Known) -> tuple[str, ...]:
    """Return the command lines of *wish*, those of a time zone with its full name."""
    lines = commands_of(wish, reading, known)
    if wish.name == "zone":
        named = (name for before, name in NAME.findall(reading.email) if before in FROM)
        word = next(filter(is_zone, (lines[0].split()[-1], *named)), lines[0].split()[-1])
        if not is_zone(word) and reading.slots.get("language") in ZONE_OF:
            return (f"SET ZONE {ZONE_OF[reading.slots['language']]}",)
        if lines[0] == wish.without and not is_zone(word):
            return lines
        near = () if is_zone(word) else (wish.without,)
        return (*commands_for_zone(word), *near)
    return lines


def _misfit(items: Iterable[Item], wish: Wish) -> tuple[str, ...]:
    """Return what to offer if what a sentence has filled in means nothing: a zone, a place."""
    for each in items:
        if isinstance(each, receipts.LineNotUnderstood):
            return each.nearest or (wish.without or "HELP",)
    return ()


def _may_act_today(context: MailContext, part: Part) -> bool:
    assert part.person, "a session has one"
    name = f"wishes of {part.person.id}"
    return context.transaction.budgets.spend(name, ACTS_A_DAY_MAX, ACT_PAUSE, context.now)


def _offer(reading: Reading, known: Known, weights: Weights) -> _Answered | None:
    """Return the commands that the sentence may mean, each with one tap."""
    choices: dict[str, receipts.WishChoice] = {}
    for name in reading.wishes:
        wish = weights.wishes[name]
        lines = _commands_meant(wish, reading, known)
        if len(reading.wishes) > 1:
            lines = lines[:1]  # Each wish gets one, or nobody would read them.
        for line in lines:
            choices.setdefault(line, receipts.WishChoice(name, line))
    if not choices:
        return None
    asked = reading.verdict is Verdict.ASK
    offered = receipts.WishOffered(reading.sentence, tuple(choices.values()), asked)
    return _Answered((offered,), met=False)
