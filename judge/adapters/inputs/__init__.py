"""How mail comes in: SMTP, LMTP, a pipe, IMAP."""
