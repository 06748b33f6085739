"""`judge receive`: hand one email to the running judge."""

from __future__ import annotations

import click

from judge.adapters.inputs import pipe


@click.command()
@click.argument("recipients", metavar="RECIPIENT...", nargs=-1, required=True)
@click.option("--socket", "path", envvar=pipe.SOCKET, help="The running judge's setting `socket`.")
@click.option("--sender", metavar="ADDRESS", help="The sender in the envelope; none for a bounce.")
def receive(recipients: tuple[str, ...], path: str | None, sender: str | None) -> None:
    """Take one email from standard input and hand it to the running judge.

    A mail server runs this for each email. The exit code is 0 if the judge has stored the email,
    75 if the mail server should try again, 67 if the judge has no such address, 65 or 69 if it
    refuses the email.
    """
    given = {"--socket": path, "--sender": sender}
    options = [f"{name}={value}" for name, value in given.items() if value]
    raise SystemExit(pipe.main([*options, "--", *recipients]))
