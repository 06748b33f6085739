"""The way out through a smarthost, which does TLS, DKIM and the long queues."""

from __future__ import annotations

import aiosmtplib

from judge.app.deliver import Delivery, Failed, Later, Taken
from judge.app.ports import OutgoingMail

SECONDS_MAX = 60.0  # for each step of one delivery


class Smarthost:
    """A mail server that takes our mails."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Hand over one mail; 5xx refuses it for good, all else is for later (RFC 5321 4.2.1)."""
        try:
            await aiosmtplib.send(
                mail.raw,
                sender=mail.sender,
                recipients=[mail.recipient],
                hostname=self._host,
                port=self._port,
                timeout=SECONDS_MAX,
            )
        except aiosmtplib.SMTPRecipientsRefused as refused:
            first = refused.recipients[0]
            return _refusal(first.code, first.message)
        except aiosmtplib.SMTPResponseException as refused:
            return _refusal(refused.code, refused.message)
        except (aiosmtplib.SMTPException, OSError) as error:
            return Later(f"{type(error).__name__}: {error}")
        return Taken()


def _refusal(code: int, message: str) -> Delivery:
    reason = f"{code} {message}"
    return Failed(reason) if 500 <= code < 600 else Later(reason)  # noqa: PLR2004 - reply classes of RFC 5321 4.2.1
