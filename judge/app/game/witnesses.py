"""Witnesses: judges that cosign each other's checkpoints by email, once a day.

A witness keeps the size and root that it cosigned last, and cosigns only what is proven to extend
them. So nobody whose log it cosigns can show players another course of things without the witness.

Each email is about one checkpoint. Until a witness has answered, it is asked for the same one
again: so an older checkpoint that it does not know never comes from an honest judge. A request is
signed as a whole, since checkpoints are public and anybody could send one with a wrong proof.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import NamedTuple

from judge import checkpoints
from judge.app.outbound.rendering import KIND_HEADER
from judge.app.ports.database import Transaction, retry_overtaken
from judge.app.ports.inbox import InboxState, MailOutcome
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from judge.app.public_log import log_name, log_verifier, rows_in_tree
from judge.checkpoints import Checkpoint, Verifier, Witness, Witnessed, WitnessedCheckpoint
from judge.mail import compose
from judge.mail.envelope import OpenedEmail

ONCE_A_DAY = 1, timedelta(days=1)
REFUSED_MAX = 100  # checkpoints of a log that are kept as evidence
MAIL_KIND = "witness"

NAME, NUMBER, HASH = r"[^\s+]{1,300}", r"(?:0|[1-9][0-9]{0,11})", r"[A-Za-z0-9+/]{43}="
BODY = rf"(?:{NAME}\n{NUMBER}\n{HASH}\n)"
SIGNATURE = rf"(?:{checkpoints.SIGNATURE_MARK}{NAME} [A-Za-z0-9+/=]{{1,200}}\n)"
REQUEST = re.compile(
    rf"^cosign-request/v1\nto (?P<to>{NAME})\nfrom (?P<size>{NUMBER})\n"
    rf"(?P<proof>(?:{HASH}\n){{0,80}})(?P<body>{BODY})(?P<signature>{SIGNATURE})\n{SIGNATURE}",
    re.MULTILINE,
)
ANSWER = re.compile(rf"^{BODY}\n{SIGNATURE}{{2}}", re.MULTILINE)


def ask_witnesses(judge: Judge) -> None:
    """Ask each witness for a cosignature of the newest checkpoint, once a day."""
    now = judge.clock.now()
    with judge.database.read() as transaction:
        due = [
            each
            for each in judge.witnesses
            if transaction.budgets.has_left(_budget(each), *ONCE_A_DAY, now)
        ]
    for each in due:
        try:
            retry_overtaken(partial(_ask, judge, each, now))
        except Exception as error:  # noqa: BLE001 - the others are asked all the same
            judge.operator_log.failed("witness.failed", error, witness=each.log.name)


def _budget(witness: Witness) -> str:
    return f"cosign {witness.log.name}"


def _ask(judge: Judge, witness: Witness, now: datetime) -> None:
    """Write the request, which may prove many events, before others have to wait for it."""
    with judge.database.read() as transaction:
        asked = _unanswered(judge, transaction, witness, now)
        if asked is None:
            return
        request = _request(judge, transaction, asked)
    with judge.database.write() as transaction:
        if not transaction.budgets.spend(_budget(witness), *ONCE_A_DAY, now):
            return
        witnessed = transaction.witnessed
        # The witness may just have answered; then it is asked for the next tomorrow.
        if witnessed.get(asked.checkpoint, asked.witness) in (None, asked):
            witnessed.put(asked)
            own, size = asked.checkpoint.origin, asked.checkpoint.size
            cause = f"{_budget(witness)} {asked.checkpoint.line} {now:%F}"
            text = (
                f"The judge {own} asks the judge {witness.log.name} to cosign\n"
                f"the checkpoint of its {size} events. Your judge answers by itself.\n\n"
                f"{request}"
            )
            page = _Page(f"Please cosign {size} events", text)
            _queue(judge, transaction, witness, cause, page)


def _unanswered(
    judge: Judge, transaction: Transaction, witness: Witness, now: datetime
) -> WitnessedCheckpoint | None:
    """Return the checkpoint that *witness* has still to cosign, at most the newest one."""
    witnessed, name = transaction.witnessed, witness.log.name
    own = log_name(judge, transaction)
    asked = witnessed.newest(own, name, Witnessed.ASKED)
    newest = None if asked else transaction.checkpoints.newest()
    if newest is None:
        return asked
    checkpoint = checkpoints.read_checkpoint(newest.note)
    if checkpoint.origin != own or witnessed.get(checkpoint, name):
        return None  # made before a backup was restored, or cosigned
    return WitnessedCheckpoint(checkpoint, name, newest.note, Witnessed.ASKED, now)


def _request(judge: Judge, transaction: Transaction, asked: WitnessedCheckpoint) -> str:
    """Return the request as a signed note, with the proof from what was cosigned last."""
    own = log_verifier(judge, transaction)
    last = transaction.witnessed.newest(own.name, asked.witness, Witnessed.COSIGNED)
    known = transaction.checkpoints.at(last.checkpoint.size) if last else None
    tree = known.tree if known else checkpoints.EMPTY_TREE
    proof: Sequence[bytes] = ()
    if tree.size:
        key = transaction.secrets.leaf_key()
        later = islice(rows_in_tree(transaction, tree.size), asked.checkpoint.size - tree.size)
        leaves = [checkpoints.leaf_of(key, row) for _, row in later]
        proof = checkpoints.consistency_proof(tree, leaves)
    hashes = "".join(b64encode(each).decode("ascii") + "\n" for each in proof)
    signed = asked.note.replace("\n\n", "\n")
    text = f"cosign-request/v1\nto {asked.witness}\nfrom {tree.size}\n{hashes}{signed}"
    signature = judge.encryption.sign(text.encode(), transaction.secrets.log_key())
    return f"{text}\n{checkpoints.signature_line(own, signature)}"


class _Page(NamedTuple):
    subject: str
    text: str
    answered: str | None = None  # the Message-ID, None if this is no answer


def _queue(
    judge: Judge, transaction: Transaction, witness: Witness, cause: str, page: _Page
) -> None:
    key, now = transaction.secrets.id_key(), judge.clock.now()
    identity = compose.message_id(key, cause, witness.address, judge.domain)
    message = compose.Message(
        message_id=identity,
        sender=judge.address,
        sender_name=f"{judge.code} judge",
        recipient=witness.address,
        subject=page.subject,
        text=page.text,
        date=now,
        automatic="auto-generated" if page.answered is None else "auto-replied",
        in_reply_to=page.answered,
        headers=((KIND_HEADER, MAIL_KIND),),
    )
    raw = compose.compose(message)
    mail = OutgoingMail(identity, judge.address, witness.address, raw, now, MAIL_KIND)
    transaction.outbox.put(mail)


def handle_witness_mail(
    judge: Judge, transaction: Transaction, opened: OpenedEmail
) -> MailOutcome | None:
    """Cosign the checkpoint in an email of another judge, or keep its cosignature of ours.

    Return None for any other email. Signatures say whose it is, not the sender: an answer goes to
    the address in the settings.
    """
    text = "".join(f"{line.text}\n" for line in opened.text.fresh)
    if request := REQUEST.search(text):
        return _answer(judge, transaction, opened, request)
    if answer := ANSWER.search(text):
        return _keep_cosignature(judge, transaction, answer[0])
    return None


def _ignored(reason: str) -> MailOutcome:
    return MailOutcome(InboxState.IGNORED, f"witness: {reason}")


def _processed(reason: str) -> MailOutcome:
    return MailOutcome(InboxState.PROCESSED, f"witness: {reason}")


def _answer(
    judge: Judge, transaction: Transaction, opened: OpenedEmail, request: re.Match[str]
) -> MailOutcome:
    note = f"{request['body']}\n{request['signature']}"
    checkpoint = checkpoints.read_checkpoint(note)
    name, size = checkpoint.origin, checkpoint.size
    asking = next((each for each in judge.witnesses if each.log.name == name), None)
    if asking is None:
        return _ignored(f"the log {name} is not in the setting witnesses")
    verify = judge.encryption.is_signed
    if not all(checkpoints.is_signed(each, asking.log, verify) for each in (note, request[0])):
        return _ignored(f"the signature is not that of {name}")
    own = log_verifier(judge, transaction)
    if request["to"] != own.name:
        return _ignored(f"{name} asks {request['to']}, and this is {own.name}")
    last = transaction.witnessed.newest(name, own.name, Witnessed.COSIGNED)
    cosigned = transaction.witnessed.get(checkpoint, own.name)
    if cosigned is None or cosigned.state is not Witnessed.COSIGNED:
        if not _extends(checkpoint, last, request):
            return _refuse(judge, transaction, checkpoint, note, last)
        cosigned = _cosign(judge, transaction, own, checkpoint, note)
    elif last and size < last.checkpoint.size:
        return _ignored(f"{size} events of {name} were cosigned before")
    # At most one answer a day to each checkpoint, however often a request is sent again.
    cause = f"cosigned {name} {checkpoint.line} {judge.clock.now():%F}"
    text = f"The judge {own.name} has cosigned {size} events of {name}.\n\n{cosigned.note}"
    page = _Page(f"Cosigned: {size} events", text, opened.message_id or "")
    _queue(judge, transaction, asking, cause, page)
    return _processed(f"cosigned {size} events of {name}")


def _extends(
    checkpoint: Checkpoint, last: WitnessedCheckpoint | None, request: re.Match[str]
) -> bool:
    """Return whether the proof in *request* shows that *checkpoint* extends what we cosigned."""
    proof, size = [b64decode(each) for each in request["proof"].split()], int(request["size"])
    if last is None:
        return not size and not proof
    known = last.checkpoint
    return size == known.size and checkpoints.is_consistent(known, checkpoint, proof)


def _refuse(
    judge: Judge,
    transaction: Transaction,
    checkpoint: Checkpoint,
    note: str,
    last: WitnessedCheckpoint | None,
) -> MailOutcome:
    """Keep *checkpoint*, which its log has signed, as evidence."""
    own, known = log_verifier(judge, transaction).name, last.checkpoint.line if last else "nothing"
    refused = WitnessedCheckpoint(checkpoint, own, note, Witnessed.REFUSED, judge.clock.now())
    name = checkpoint.origin
    if len(transaction.witnessed.of(name, own, Witnessed.REFUSED)) < REFUSED_MAX:
        transaction.witnessed.put(refused)
    judge.operator_log.warning("witness.refused", log=name, shown=checkpoint.line, cosigned=known)
    shown = f"{checkpoint.line}, not proven to extend what was cosigned here"
    return _ignored(f"{name} shows {shown}: {known}")


def _cosign(
    judge: Judge, transaction: Transaction, own: Verifier, checkpoint: Checkpoint, note: str
) -> WitnessedCheckpoint:
    now = judge.clock.now()
    seconds = int(now.timestamp())
    text = checkpoints.cosigned_text(checkpoint.body, seconds)
    signature = judge.encryption.sign(text, transaction.secrets.log_key())
    stamped = seconds.to_bytes(checkpoints.TIME_BYTES) + signature
    cosigned = note + checkpoints.signature_line(own.cosigner, stamped)
    made = WitnessedCheckpoint(checkpoint, own.name, cosigned, Witnessed.COSIGNED, now)
    transaction.witnessed.put(made)
    judge.operator_log.note("witness.cosigned", log=checkpoint.origin, size=checkpoint.size)
    return made


def _keep_cosignature(judge: Judge, transaction: Transaction, note: str) -> MailOutcome:
    checkpoint, verify = checkpoints.read_checkpoint(note), judge.encryption.is_signed
    for each in judge.witnesses:
        line = checkpoints.cosignature_of(note, each.log, verify)
        asked = transaction.witnessed.get(checkpoint, each.log.name)
        if line and asked and asked.state is Witnessed.ASKED:
            now, state = judge.clock.now(), Witnessed.COSIGNED
            transaction.witnessed.put(replace(asked, note=asked.note + line, state=state, at=now))
            return _processed(f"{each.log.name} has cosigned {checkpoint.size} events")
        if line and asked:
            return _ignored(f"a cosignature of {each.log.name} that is known")
    return _ignored("no cosignature that was asked for")
