"""No password stays in clear in what is kept of a mail, once it has done its work."""

from __future__ import annotations

from judge.app.desk import STANDARD, Desk
from judge.app.finished import Finished
from judge.app.ports import InboxState
from judge.mail.envelope import Letter
from judge.mail.redaction import mentions, secrets_of, struck_out, written_anew


def forget_passwords(desk: Desk, finished: Finished) -> None:
    """Strike the passwords out of the mail on the desk; one that is held still needs them."""
    secrets = secrets_of(desk.letter.text, desk.judge.boards(STANDARD))
    if secrets and finished.state is not InboxState.HELD:
        desk.transaction.inbox.rewrite(desk.mail.id, _without(desk, secrets))


def _without(desk: Desk, secrets: tuple[str, ...]) -> bytes:
    raw = struck_out(desk.mail.raw, secrets)
    opened = desk.judge.opener.open(raw, desk.mail.sender)
    if isinstance(opened, Letter) and not mentions(opened.text, secrets):
        return raw
    return written_anew(desk.mail.raw, desk.shown(desk.letter.text.fresh))
