"""`judge demo`: a daemon, seven players and the year 1901, by real SMTP on loopback."""
