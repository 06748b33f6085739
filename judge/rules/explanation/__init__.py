"""The reasons for verdicts: strengths, rules and citations."""
