"""No password stays in clear in what is kept of a mail, once it has done its work."""

from __future__ import annotations

from judge.app.desk import STANDARD, Desk
from judge.app.finished import Finished
from judge.app.incoming import InboxState, IncomingMail
from judge.app.judge import Judge
from judge.app.opening import UnopenedError
from judge.app.ports import Transaction
from judge.mail.envelope import Letter, Unreadable
from judge.mail.language.command_reader import without_secrets
from judge.mail.redaction import mentions_password, passwords_in, starred_out, with_body


def forget_passwords(desk: Desk, finished: Finished) -> None:
    """Strike the passwords out of the mail on the desk; one that is held still needs them."""
    if finished.state is not InboxState.HELD:
        _strike(desk.judge, desk.transaction, desk.mail, desk.letter)


def let_go(judge: Judge, transaction: Transaction, number: int, reason: str) -> None:
    """Ignore the mail *number*, if it is still held, for *reason*; its passwords go."""
    mail = transaction.inbox.get(number)
    if mail is None or mail.state is not InboxState.HELD:
        return
    letter = _opened(judge, mail.raw, mail.sender)
    if isinstance(letter, Letter):
        _strike(judge, transaction, mail, letter)
    transaction.inbox.finish(number, InboxState.IGNORED, reason)


def _strike(judge: Judge, transaction: Transaction, mail: IncomingMail, letter: Letter) -> None:
    secrets = passwords_in(letter.text, judge.boards(STANDARD))
    if secrets:
        transaction.inbox.rewrite(mail.id, _without(judge, mail, letter, secrets))


def _without(judge: Judge, mail: IncomingMail, letter: Letter, secrets: tuple[str, ...]) -> bytes:
    raw = starred_out(mail.raw, secrets)
    opened = _opened(judge, raw, mail.sender)
    if isinstance(opened, Letter) and not mentions_password(opened.text, secrets):
        return raw
    board = judge.boards(STANDARD)
    return with_body(mail.raw, [without_secrets(line, board) for line in letter.text.fresh])


def _opened(judge: Judge, raw: bytes, sender: str | None) -> Letter | Unreadable:
    try:
        return judge.opener.open(raw, sender)
    except UnopenedError as error:
        return Unreadable(str(error))
