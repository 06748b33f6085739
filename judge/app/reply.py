"""The one answer to a mail of somebody we know: all that it says, to whichever games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from judge.app.asking import Question, ask
from judge.app.contacts import note_name
from judge.app.desk import STANDARD, Desk, Session
from judge.app.finished import PROCESSED, Finished
from judge.app.forwarding import forwarded, is_read
from judge.app.handles import handle_offered
from judge.app.incoming import InboxState
from judge.app.joining import join, stand_by
from judge.app.keywords import is_answered, keyword_pages, says_in_subject
from judge.app.offers import accept_offer, accept_press, left_out, letters_offered
from judge.app.pages import send_pages
from judge.app.planning import misnamed, named, titled
from judge.app.ports import Person
from judge.app.recognise import Doubtful, Speaker, games_of
from judge.app.session import OfHabit, hear
from judge.app.signing import session_of, sign_on, turn_to
from judge.app.stewarding import Private, acting, become, create, observe
from judge.app.strangers import ask_whether_his, hold_sign_on
from judge.app.waiting_mail import waiting_mail
from judge.game.decision import Why
from judge.game.game_state import Game
from judge.game.orders.submission import commit_orders
from judge.mail.language.command_reader import Parsed
from judge.mail.language.command_syntax import NamedGame, NamedPhase, OrdersOfPhase, OrderText
from judge.mail.language.join_commands import (
    Join,
    Observe,
    Resign,
    SetPreference,
    SignOff,
    SignOn,
    StandBy,
)
from judge.mail.language.moderator_commands import Become
from judge.mail.language.order_commands import Preview, UseThese
from judge.mail.language.press_commands import Press
from judge.mail.language.profile_commands import ChangeAddress, SetPassword
from judge.mail.language.rule_commands import Create
from judge.mail.reader.game_headings import game_in_subject, games_named_in, split_by_game
from judge.mail.reader.phase_headings import holds_order
from judge.mail.reader.prose import is_courtesy
from judge.reports.emails import confirmation_emails, game_start, receipts
from judge.reports.emails.confirmation_emails import ConfirmationReason
from judge.reports.emails.contexts import Context
from judge.reports.emails.order_status import Commitment
from judge.reports.emails.press import PressBack
from judge.reports.emails.receipts import (
    CommandDone,
    CommandRefused,
    CourtesiesLeftOut,
    Duplicate,
    HandleOffered,
    Item,
    NothingSaid,
    NotOfGame,
    NotSignedOn,
    OnlyTried,
)
from judge.rules.types import Power

NO_GAME = ""
ASKED_BACK = "what is always confirmed"
AlwaysAsked = Resign | ChangeAddress
Coming = Join | StandBy | Observe | Create


@dataclass(frozen=True, slots=True)
class Part:
    """What a mail says in one session; without a session it is said to no game.

    It begins with the SIGNON of somebody who is *doubtful* if that waits for their word.
    """

    person: Person | None
    session: Session | None
    said: tuple[Parsed, ...] = ()
    doubtful: Doubtful | None = None

    @property
    def joins(self) -> bool:
        """Say whether it begins with a JOIN."""
        return bool(self.said) and isinstance(self.said[0], Join)

    @property
    def comes(self) -> bool:
        """Say whether it begins with the name of a game that he wants to come to."""
        return bool(self.said) and isinstance(self.said[0], Coming)

    @property
    def is_asked_back(self) -> bool:
        """Say whether anything in it is only done once he has confirmed it."""
        acting = self.session is not None and self.session.acting
        return not acting and any(isinstance(each, AlwaysAsked) for each in self.said)

    @property
    def failed(self) -> NotSignedOn | NotOfGame | None:
        """Say that the SIGNON that it begins with signed nobody on, or the name of a game."""
        match self.said[:1] if self.session is None else ():
            case (SignOn(line=line, text=text),):
                return NotSignedOn(line, text)
            case (NamedGame(line=line, text=text, game=game),):
                return NotOfGame(line, text, game)
            case _:
                return None

    @property
    def questions(self) -> tuple[Question, ...]:
        """Return what it only asks."""
        return tuple(each for each in self.said if isinstance(each, Question))


def reply(desk: Desk, said: Sequence[Parsed], speaker: Speaker | None) -> Finished | None:
    """Do all that the mail says, and queue its one answer to each person it spoke for.

    None if it spoke for nobody.
    """
    answers: dict[Person, list[Context]] = {}
    asked: list[Person] = []
    doubtful: list[Doubtful] = []
    unheard: list[Item] = []
    for part in _parts(desk, _due(desk, _of_games(desk, said, speaker)), speaker):
        if part.failed:
            unheard.append(part.failed)
            doubtful += [part.doubtful] if part.doubtful else []
            continue
        reader = part.person or (speaker.person if speaker and part.said else None)
        if reader:
            answers.setdefault(reader, []).extend(_pages(desk, part))
        if reader and part.is_asked_back:
            asked.append(reader)
    if doubtful and not answers:
        return hold_sign_on(desk, said, doubtful[0])
    told = speaker.person if speaker else next(iter(answers), None)
    if unheard and told:
        page = receipts.receipt_without_game(unheard, judge_code=desk.judge.code)
        answers.setdefault(told, []).append(page)
    for person, pages in answers.items():
        send_pages(desk, person, pages)
    if not answers:
        return None
    if asked and desk.mail.confirmed_person is None:
        ask_whether_his(desk, asked[0], _doubt(said))
        return Finished(InboxState.HELD, ASKED_BACK)
    return PROCESSED


def _doubt(said: Sequence[Parsed]) -> ConfirmationReason:
    """Say for which of the commands that are always asked back somebody is asked."""
    resigns = any(isinstance(each, Resign) for each in said)
    return ConfirmationReason.RESIGN if resigns else ConfirmationReason.ADDRESS


def _due(desk: Desk, said: Sequence[Parsed]) -> Sequence[Parsed]:
    """Return what is still to be done: only what is asked back, of a mail held for that."""
    if desk.mail.reason != ASKED_BACK:
        return said
    kept = SignOn | NamedGame | AlwaysAsked
    return [each for each in said if isinstance(each, kept)]


def _of_games(desk: Desk, said: Sequence[Parsed], speaker: Speaker | None) -> Sequence[Parsed]:
    """Return *said* with what the mail says of which of the games of *speaker* it is for."""
    subject, board = desk.letter.subject, desk.judge.boards(STANDARD)
    text = "\n".join((subject, *(line.text for line in desk.letter.text.fresh))).casefold()
    his = games_of(desk.judge, desk.transaction, speaker.person) if speaker else ()
    games = games_named_in(text, {game.name for game in his})
    if not games:
        return said
    titled_with = game_in_subject(subject, games, board)
    title = NamedGame(titled_with, line=0, text=subject) if titled_with else None
    return (*((title,) if title and said else ()), *split_by_game(said, games, board))


def _only_greets(desk: Desk, part: Part) -> bool:
    """Say whether nothing in *part*, above the name of a game, is meant as an order or command."""
    board = desk.judge.boards(STANDARD)
    return all(
        isinstance(each, OrderText)
        and not any(holds_order(line.text, board) for line in each.lines)
        for each in part.said
    )


def _is_greeting(desk: Desk, part: Part) -> bool:
    """Say whether *part*, above a JOIN, is for no game, or says nothing but `Hello judge,`."""
    board = desk.judge.boards(STANDARD)
    lines = [line for each in part.said if isinstance(each, OrderText) for line in each.lines]
    return _only_greets(desk, part) and (
        part.session is None or all(is_courtesy(line.text, board) for line in lines)
    )


def _parts(desk: Desk, said: Sequence[Parsed], speaker: Speaker | None) -> Iterator[Part]:
    """Split the mail where a SIGNON or a JOIN begins to speak to another game."""
    person = speaker.person if speaker else None
    first = _first_session(desk, said, speaker) if speaker else None
    part, master = Part(person, first), first
    for each in said:
        match each:
            case SignOff():
                yield from _spoken(replace(part, said=(*part.said, each)))
                part = Part(None, None)
            case SignOn():
                yield from _spoken(part)
                part = _signed_on(desk, each, speaker)
            case NamedGame(game=game):
                if part.person and (part.session is None or part.session.game != game):
                    yield from () if _only_greets(desk, part) else _spoken(part)
                    back = first and (first.game, first.person) == (game, part.person)
                    session = first if back else turn_to(desk, game, part.person, speaker)
                    part = Part(part.person, session, () if session else (each,))
            case Become() if part.session:
                master, spoken = _before_becoming(part.session, part, master, each)
                yield from spoken
                session = become(desk, master, each)
                part = Part(session.person, session, (each,)) if session else Part(None, None)
            case Join() | StandBy() | Observe() | Create() if part.person:
                greets = _is_greeting(desk, part)
                yield from () if greets else _spoken(part)
                evidence = part.session.evidence if part.session else desk.evidence("confirmed")
                session = Session(part.person, evidence, each.game or "")
                part = Part(part.person, session, (each, *(part.said if greets else ())))
            case _:
                part = replace(part, said=(*part.said, each))
    yield part


def _signed_on(desk: Desk, said: SignOn, speaker: Speaker | None) -> Part:
    """Begin a part with a SIGNON."""
    match sign_on(desk, said, speaker):
        case Session() as session:
            return Part(session.person, session, (said,))
        case Doubtful() as who:
            return Part(None, None, (said,), who)
        case None:
            return Part(None, None, (said,))


def _before_becoming(
    session: Session, part: Part, master: Session | None, said: Become
) -> tuple[Session, Iterable[Part]]:
    """Return who speaks for somebody, also if he spoke for another above, and what was said."""
    if session.acting and master:
        return master, (part, Part(master.person, master, (said,)))
    return session, (replace(part, said=(*part.said, said)),)


def _first_session(desk: Desk, said: Sequence[Parsed], speaker: Speaker) -> Session | None:
    """Open the session that a mail begins with: of no game, if all that it says is of none."""
    session = session_of(desk, speaker)
    if session is None and said and all(isinstance(each, OfHabit) for each in said):
        return Session(speaker.person, desk.evidence(speaker.how.value), NO_GAME)
    return session


def _spoken(part: Part) -> Iterator[Part]:
    """Yield *part*, unless nothing was said in it before another began."""
    if part.said:
        yield part


def _pages(desk: Desk, part: Part) -> list[Context]:
    """Do what one part says; return the pages of its answer, the receipt first."""
    earlier = desk.received_before(part.person) if part.person else None
    if earlier and part.session:
        return [_receipt(desk, part.session, [Duplicate(earlier)])]
    items = list(_press_accepted(desk, part)) or list(_items(desk, part))
    if part.session:
        answered = partial(is_answered, desk, part.said)
        items = forwarded(desk, _seated(desk, part.session), items, answered)
    place = list(_place(desk, part))
    others = [
        *place,
        *(
            page
            for each in part.questions
            for page in ask(desk, part.person, _now(desk, part.session), each)
        ),
        *keyword_pages(desk, part.said),
    ]
    if part.session and any(map(is_read, items)):
        items.extend(_tried(desk, part))
    told = [each for each in items if not isinstance(each, CourtesiesLeftOut)]
    if part.session and (told or not others):
        seated = _seated(desk, part.session)
        items.extend(letters_offered(desk, seated, part.said))
        items.extend(left_out(desk, seated))
        if not (others or any(map(is_read, items))):
            items.insert(0, NothingSaid(in_subject=says_in_subject(desk)))
        items.extend(waiting_mail(desk.judge, desk.transaction, seated.person.id))
        return [*place, _receipt(desk, part.session, items), *others[len(place) :]]
    return others or [confirmation_emails.unknown(judge_code=desk.judge.code)]


def _press_accepted(desk: Desk, part: Part) -> Iterator[Item]:
    """Send the letter that was offered as press, if that is all that is said."""
    if part.session and len(part.said) == 1:
        yield from accept_press(desk, _seated(desk, part.session), part.said[0])


def _tried(desk: Desk, part: Part) -> Iterator[Item]:
    """Say what of a mail that does other things too was only tried."""
    tried = (each.lines for each in part.said if isinstance(each, Preview))
    return (OnlyTried(desk.shown(lines)) for lines in tried if lines)


def _place(desk: Desk, part: Part) -> Iterator[Context]:
    """Tell somebody who has just joined for whom the game waits."""
    game = desk.game(part.session.game) if part.session and part.joins else None
    if part.person and game and game.position is None and part.person.id in game.joined:
        board, code = desk.board(game), desk.judge.code
        yield game_start.joined(board, game, part.person.id, judge_code=code)


def _items(desk: Desk, part: Part) -> Iterator[Item]:
    """Do each thing that the part says to its game, and account for it."""
    if part.session is None or part.person is None:
        return
    session = titled(desk, part.session)
    for each in part.said:
        if isinstance(each, Become) or (session.acting and isinstance(each, Private)):
            yield acting(desk, session, each)
            continue
        match each:
            case SignOn():
                yield CommandDone("signon")
            case Join() | StandBy() | Observe() | Create():
                note_name(desk.transaction, part.person, desk.letter.name)
                yield _come(desk, part, part.person, each)
                yield from _handle(desk, part.person, each)
            case SetPreference() | SetPassword() if part.joins:
                pass  # the JOIN above took them
            case _ if _is_lost(desk, session, each):
                yield from _lost(desk, part, each)
            case NamedPhase() | OrdersOfPhase():
                session, told = _in_phase(desk, session, each)
                yield from told
            case UseThese():
                yield from accept_offer(desk, _seated(desk, session), each)
            case _:
                yield from hear(desk, _seated(desk, session), each)


def _handle(desk: Desk, person: Person, said: Coming) -> Iterator[Item]:
    """Offer somebody who joins the name in their email as the handle by which others know them."""
    known = desk.transaction.people.get(person.id)
    if known and isinstance(said, Join) and desk.game_open_to(person, said.game):
        offered = handle_offered(desk.transaction, known, desk.judge.boards(STANDARD))
        if offered:
            yield HandleOffered(known.handle, offered)


def _in_phase(
    desk: Desk, session: Session, said: NamedPhase | OrdersOfPhase
) -> tuple[Session, Iterable[Item]]:
    """Let what follows be for a phase, or only what stands beside its name."""
    if isinstance(said, NamedPhase):
        session = named(desk, session, said.said, in_passing=said.in_passing)
        return session, misnamed(session, said)
    orders = OrderText(said.lines, line=said.line, text=said.text)
    return session, hear(desk, _seated(desk, named(desk, session, said.said)), orders)


def _is_lost(desk: Desk, session: Session, said: Parsed) -> bool:
    """Say whether *said* is for a game, and there is none."""
    of_none = session.game == NO_GAME and isinstance(said, OfHabit)
    return not of_none and desk.game_open_to(session.person, session.game) is None


def _lost(desk: Desk, part: Part, said: Parsed) -> Iterator[Item]:
    """Account for what is for a game that there is not, for him: once, if he came for it."""
    if isinstance(said, Press):
        yield PressBack(desk.shown(said.lines), Why.NO_SUCH_GAME)
    elif not part.comes:
        yield CommandRefused(said.text.strip(), Why.NO_SUCH_GAME)


def _come(desk: Desk, part: Part, person: Person, said: Coming) -> Item:
    if isinstance(said, Create):
        return create(desk, person, said)
    if isinstance(said, Observe):
        return observe(desk, person, said)
    if isinstance(said, StandBy):
        return stand_by(desk, person, said)
    return join(desk, person, said, part.said)


def _now(desk: Desk, session: Session | None) -> Session | None:
    return _seated(desk, session) if session else None


def _seated(desk: Desk, session: Session) -> Session:
    """Return *session* with the power played by now: a JOIN above may have started the game."""
    game = desk.game(session.game)
    power = session.dummy or (game.power_of(session.person.id) if game else None)
    return replace(session, power=power)


def _receipt(desk: Desk, session: Session, items: Sequence[Item]) -> Context:
    game = desk.game_open_to(session.person, session.game)
    if game is None:
        return receipts.receipt_without_game(items, judge_code=desk.judge.code)
    power = session.dummy or game.power_of(session.person.id)
    return receipts.receipt(
        desk.board(game),
        game,
        power,
        items,
        judge_code=desk.judge.code,
        commitment=_commitment(game, power),
    )


def _commitment(game: Game, power: Power | None) -> Commitment | None:
    """Return what the owner of a set of orders can hold the judge to, once it is judged."""
    if game.phase is None or power is None or power not in game.phase.nonces:
        return None
    nonce, orders = game.phase.nonces[power], game.phase.standing.get(power, ())
    return Commitment(commit_orders(nonce, orders), nonce, orders)
