"""The way out that the operator has chosen."""

from __future__ import annotations

from judge.adapters.maildir_out import Maildir
from judge.adapters.secret_file import secret_in
from judge.adapters.smtp_out import Login, Smarthost
from judge.app.outbound.delivery import Carrier, Delivery
from judge.app.ports.outbox import OutgoingMail
from judge.errors import ConfigurationError
from judge.settings import Settings


class WayOut:
    """A carrier, in whose place another may be put while mails are under way."""

    def __init__(self, carrier: Carrier) -> None:
        self._carriers = [carrier]

    def change(self, carrier: Carrier) -> None:
        """Hand mails to *carrier* from now on."""
        self._carriers.append(carrier)

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Hand over one mail."""
        return await self._carriers[-1].deliver(mail)

    async def rest(self) -> None:
        """Let all of them rest: those of before still have connections."""
        for carrier in self._carriers:
            await carrier.rest()


def carrier_of(settings: Settings) -> Carrier:
    """Return the smarthost if there is one, else the Maildir.

    Raises `ConfigurationError` when half of a login is missing.
    """
    return smarthost_of(settings) or Maildir(settings.maildir)


def smarthost_of(settings: Settings) -> Smarthost | None:
    """Return the mail server that takes our mails; raises as `carrier_of` does."""
    if settings.smarthost is None:
        return None
    return Smarthost(
        *settings.smarthost, security=settings.smarthost_security, login=_login(settings)
    )


def _login(settings: Settings) -> Login | None:
    user, file = settings.smarthost_user, settings.smarthost_password_file
    if bool(user) != bool(file):
        raise ConfigurationError("smarthost_user needs smarthost_password_file, and it a user")
    return Login(user, secret_in(file, "smarthost_password_file")) if file else None
