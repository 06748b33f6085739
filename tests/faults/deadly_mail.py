"""Run the daemon with a reader that an email can kill: `... deadly_mail serve`.

Nothing else differs from `judge serve`, but that an email that failed is tried again soon.
"""

from __future__ import annotations

from datetime import timedelta

from judge.__main__ import main
from judge.adapters import mail_sandbox
from judge.app.inbound import process

PAUSES = (timedelta(seconds=0.1), timedelta(seconds=0.3))


if __name__ == "__main__":
    setattr(process, "RETRY_AFTER", PAUSES)  # noqa: B010 - it is final for everybody else
    mail_sandbox.MailSandbox.__init__.__defaults__ = (
        ("-m", "tests.support.deadly_reader"),
        mail_sandbox.IDLE_SECONDS_MAX,
    )
    main()
