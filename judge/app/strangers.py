"""Mails that nothing proves to be from somebody we know: held until confirmed, or helped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from judge.app.addresses import answer_new_address
from judge.app.asking import Question, ask
from judge.app.desk import Desk
from judge.app.finished import PROCESSED, Finished
from judge.app.handing_over import answer_moderation
from judge.app.incoming import InboxState, IncomingMail
from judge.app.judge import Judge
from judge.app.people import register
from judge.app.ports import Person, Purpose, Token
from judge.app.post import Letter as Outgoing
from judge.app.post import Meaning, post, token_for
from judge.app.recognise import Doubtful
from judge.app.secrecy import let_go
from judge.app.signing import is_refused
from judge.mail.envelope import Letter
from judge.mail.identity import same_mailbox
from judge.mail.language import said as words
from judge.mail.language.place_said import StandBy
from judge.mail.language.said import Said
from judge.mail.language.table_said import Create, Observe
from judge.reports import strangers
from judge.reports.contexts import Context
from judge.reports.greetings import Doubt, Wish
from judge.reports.render import render

HELD_AT_MOST = timedelta(days=14)
FORGOTTEN_AT_ONCE = 50  # The next turn goes on.
QUESTIONS_A_DAY_MAX = 10  # More would let a forger fill the mailbox of a player through us.

STRANGERS_MAX, STRANGER_PAUSE = 60, timedelta(minutes=2)  # answered at once, and then


def answer_stranger(desk: Desk, said: Sequence[Said]) -> Finished:
    """Answer a stranger, once a day for each kind; a JOIN waits until he confirms it."""
    joins = [each for each in said if isinstance(each, words.Join | StandBy | Observe)]
    if joins:
        return _hold_join(desk, joins[0])
    questions = [each for each in said if isinstance(each, Question)]
    pages = [page for each in questions for page in ask(desk, None, None, each)]
    creates = any(isinstance(each, Create) for each in said)
    signs_on = any(isinstance(each, words.SignOn) for each in said)
    if pages:
        return _help(desk, pages)
    return answer_unknown(desk, creates=creates, signs_on=signs_on)


def answer_unknown(desk: Desk, *, creates: bool = False, signs_on: bool = False) -> Finished:
    """Say that nothing tells who writes, of which game; not whether a game or person exists.

    Whoever *creates* a game has to be known; who *signs_on* does so in vain.
    """
    code = desk.judge.code
    return _help(desk, [strangers.unknown(judge_code=code, creates=creates, signs_on=signs_on)])


def hold(desk: Desk, said: Sequence[Said], who: Doubtful) -> Finished:
    """Let a mail that claims to be from *who* wait, and ask him at his registered address."""
    if not _has_effect(said):
        return answer_stranger(desk, said)
    if not _may_ask(desk, who.person):
        return Finished(InboxState.IGNORED, "its owner was asked too often today")
    tried = [each for each in said if isinstance(each, words.SignOn) and not who.said.press_to]
    refused = any(is_refused(desk, each, who.person) for each in tried)
    ask_whether_his(desk, who.person, who.why, refused=refused)
    return Finished(InboxState.HELD, "unproven")


def forget_unconfirmed(judge: Judge) -> None:
    """Let the mails go that nobody has confirmed for weeks."""
    before = judge.clock.now() - HELD_AT_MOST
    with judge.database.read() as transaction:
        held = transaction.inbox.held(before, FORGOTTEN_AT_ONCE)
    for number in held:
        with judge.database.write() as transaction:
            let_go(judge, transaction, number, "nobody confirmed it")


def ask_whether_his(desk: Desk, person: Person, why: Doubt, *, refused: bool = False) -> None:
    """Ask *person*, at his registered address, whether the mail on the desk is his; say why.

    He is told if a password in it was *refused*: nobody else learns that.
    """
    lines = desk.shown(desk.letter.text.fresh)
    code, received = desk.judge.code, desk.mail.received_utc
    context = strangers.confirm_mail(received, lines, why, refused=refused, judge_code=code)
    about = Meaning(subject=str(desk.mail.id))
    token = token_for(desk.transaction, Purpose.CONFIRM, person, about)
    _ask_back(desk, context, person.address, token, person.zone)


def answer_confirmation(desk: Desk, said: Sequence[Said], token: Token) -> Finished:
    """Do what *token* was asked about, if the answer is YES."""
    if token.purpose is Purpose.ADDRESS:
        return answer_new_address(desk, token, yes=_yes_or_no(desk, said) is True)
    if token.purpose is Purpose.MODERATE:
        return answer_moderation(desk, token, yes=_yes_or_no(desk, said) is True)
    return _answer_about_mail(desk, said, token)


def _answer_about_mail(desk: Desk, said: Sequence[Said], token: Token) -> Finished:
    """Release the mail that *token* was asked about, if the answer is YES or adds nothing."""
    said_so = _yes_or_no(desk, said)
    held = desk.transaction.inbox.get(int(token.subject or 0))
    if held is None or held.state is not InboxState.HELD:
        return Finished(InboxState.IGNORED, "nothing waits for this")
    asked = _asked(desk, token, held)
    if not any(desk.letter.sender and same_mailbox(desk.letter.sender, each) for each in asked):
        return answer_unknown(desk)  # The confirm mail has come into other hands.
    match said_so:
        case False:
            let_go(desk.judge, desk.transaction, held.id, "denied by its writer")
            return PROCESSED
        case None if said:
            return answer_unknown(desk)
        case None if not desk.letter.answerable:
            return Finished(InboxState.IGNORED, "a machine's answer, without a word")
        case True | None:
            desk.transaction.inbox.release(held.id, _who(desk, token, asked[0]))
            return PROCESSED


def _yes_or_no(desk: Desk, said: Sequence[Said]) -> bool | None:
    """Return what the answer says: in a line of its own, or as the first word of a sentence."""
    if said and isinstance(said[0], words.Confirm):
        return said[0].yes
    lines = (line.text.split() for line in desk.letter.text.fresh)
    first = next((line[0] for line in lines if line), "").strip(",.!;:").upper()
    return {"YES": True, "NO": False}.get(first)


def _may_ask(desk: Desk, person: Person) -> bool:
    """Say whether *person* can be asked once more today: anybody can forge what we ask about."""
    return any(
        desk.transaction.people.first_today(person.address, f"confirm {number}", desk.now)
        for number in range(QUESTIONS_A_DAY_MAX)
    )


def _has_effect(said: Iterable[Said]) -> bool:
    """Say whether anything in the mail is more than a question."""
    return any(not isinstance(each, Question | words.SignOff) for each in said)


def _hold_join(desk: Desk, join: words.Join | StandBy | Observe) -> Finished:
    """Ask the address a JOIN came from; his id is decided now, and known once he confirms."""
    address = desk.letter.sender
    if address is None or not _may_answer(desk, "join"):
        return Finished(InboxState.IGNORED, "a stranger who cannot be asked")
    nobody_yet = Person(desk.judge.chance.nonce(), "", address)
    about = Meaning(subject=str(desk.mail.id))
    token = token_for(desk.transaction, Purpose.JOIN, nobody_yet, about)
    power = join.power if isinstance(join, words.Join) else None
    wish = {words.Join: Wish.PLAY, StandBy: Wish.WAIT, Observe: Wish.OBSERVE}[type(join)]
    context = strangers.confirm_join(join.game or "", power, wish, judge_code=desk.judge.code)
    _ask_back(desk, context, address, token)
    return Finished(InboxState.HELD, "unproven")


def _asked(desk: Desk, token: Token, held: IncomingMail) -> Sequence[str]:
    """Return the addresses of whoever was asked about the mail *held*."""
    if token.purpose is Purpose.CONFIRM:
        return desk.transaction.people.addresses(token.person)
    letter = desk.judge.opener.open(held.raw, held.sender)
    assert isinstance(letter, Letter), "it was opened when it came"
    assert letter.sender, "it was asked back at this address"
    return (letter.sender,)


def _who(desk: Desk, token: Token, address: str) -> str:
    """Return who confirmed: a person we know, or the stranger who is known from now on."""
    if token.purpose is Purpose.CONFIRM:
        return token.person
    return register(desk.judge, desk.transaction, address, desk.now, token.person).id


def _ask_back(
    desk: Desk, context: Context, address: str, token: Token, zone: str | None = None
) -> None:
    letter = Outgoing(
        contexts=(context,),
        cause=f"{desk.cause}:confirm",
        address=address,
        zone=zone,
        token=token,
        answers=desk.answered,
    )
    post(desk.judge, desk.transaction, letter, desk.now)


def _help(desk: Desk, pages: Sequence[Context]) -> Finished:
    address = desk.letter.sender
    if address is None or not _may_answer(desk, render(pages[0]).subject):
        return Finished(InboxState.IGNORED, "a stranger who was answered already")
    letter = Outgoing(
        contexts=tuple(pages),
        cause=desk.cause,
        address=address,
        answers=desk.answered,
    )
    post(desk.judge, desk.transaction, letter, desk.now)
    return PROCESSED


def _may_answer(desk: Desk, what: str) -> bool:
    """Say whether this stranger gets an answer: no machine does, nobody one twice a day."""
    address = desk.letter.sender
    return (
        address is not None
        and desk.letter.answerable
        and not desk.proof.forged
        and desk.transaction.people.first_today(address, what, desk.now)
        and desk.transaction.budgets.spend("strangers", STRANGERS_MAX, STRANGER_PAUSE, desk.now)
    )
