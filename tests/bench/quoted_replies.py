"""CPU time to read the emails of real mail programs: `python -m tests.bench.quoted_replies`.

That is from bytes to the text that was typed, with nothing kept of the email of ours that is
quoted.
"""

from __future__ import annotations

import re
import time
import tomllib
from pathlib import Path
from statistics import mean

from judge.app.sent_emails import split_by_sent_text
from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.sent_text import sent_email

HERE = Path(__file__).parents[1] / "emails" / "programs"
KIND = re.compile(rb"^X-Judge-Kind: (\S+)", re.MULTILINE)
ROUNDS = 20


def main() -> None:
    print("email                                        open ms  compare ms")
    spent = []
    for name, label in tomllib.loads((HERE / "typed.toml").read_text()).items():
        if "answers" not in label:
            continue
        ours = (HERE / "sent" / f"{label['answers']}.eml").read_bytes()
        found = KIND.search(ours)
        assert found
        times = [
            read((HERE / f"{name}.eml").read_bytes(), ours, found[1].decode())
            for _ in range(ROUNDS)
        ]
        opening, comparing = map(min, zip(*times, strict=True))
        spent.append((opening, comparing))
        print(f"{name:44} {opening * 1000:7.2f}  {comparing * 1000:10.2f}")
    opening, comparing = (mean(each) * 1000 for each in zip(*spent, strict=True))
    print(f"{f'{len(spent)} emails, each':44} {opening:7.2f}  {comparing:10.2f}")


def read(raw: bytes, ours: bytes, kind: str) -> tuple[float, float]:
    sent_email.cache_clear()
    start = time.process_time()
    opened = open_mail(raw, "frank@player.test")
    assert isinstance(opened, OpenedEmail)
    between = time.process_time()
    split_by_sent_text(opened, ((ours, kind),))
    return between - start, time.process_time() - between


if __name__ == "__main__":
    main()
