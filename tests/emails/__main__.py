"""Write each generated email to a file: `python -m tests.emails FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.emails.generated import forms, generate_emails

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for client, form in forms():
        for letter in generate_emails(client, form):
            (folder / f"{letter.name}.eml").write_bytes(letter.raw)
