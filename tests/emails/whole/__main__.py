"""Try generated emails and print what became of them: `python -m tests.emails.whole 500`."""

from __future__ import annotations

import sys

from tests.emails.whole.generated import try_emails

if __name__ == "__main__":
    count, seed, *_ = (*map(int, sys.argv[1:]), 300, 1)[:2]
    result = try_emails(count, seed)
    print(result.table())
    for part, email in result.lost[:5]:
        print(f"\n=== lost {part.kind}: {part.lines}\n{email}")
    sys.exit(len(result.lost) > 0)
