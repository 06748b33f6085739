"""Mail, both ways: from bytes to an email and its meaning, from words to bytes."""
