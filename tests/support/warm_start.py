"""Play a phase where daemons are forked from: templates, boards and patterns are made once.

Otherwise each daemon makes them for its first email, which takes a second of a processor.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from judge.app.ports.people import MailForm
from tests.support.table import Table

with TemporaryDirectory() as folder:
    table = Table(Path(folder), form=MailForm.HTML)
    table.mail("anne@players.example", "HELP")
    table.start()
    table.play(FRANCE="A Par-Bur")
    table.outbox()
    table.close()
