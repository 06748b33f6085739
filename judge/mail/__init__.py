"""Mail, both ways: bytes become a letter and its meaning; words become bytes. It sends nothing."""
