"""Inputs of email: SMTP, LMTP, a pipe, IMAP."""
