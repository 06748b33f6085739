"""Formats of nJudge and its relatives."""
