"""Read the newest mail of a mailbox: walk-read.py HOST USER PASSWORD; fail if there is none."""

import email
import imaplib
import sys

host, user, password = sys.argv[1:]
box = imaplib.IMAP4(host)
box.login(user, password)
box.select("INBOX", readonly=True)
numbers = box.search(None, "ALL")[1][0].split()
if not numbers:
    sys.exit(1)
mail = email.message_from_bytes(box.fetch(numbers[-1].decode(), "(RFC822)")[1][0][1])
print(mail.as_string()[:3000])
signed = mail["DKIM-Signature"] or ""
sys.exit(not (mail["Subject"] and "d=judge.example.org" in signed))
