"""The text of nJudge and its relatives."""
