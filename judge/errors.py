"""Errors that only an operator can fix; mistakes of players are values instead."""


class JudgeError(Exception):
    """An error that an operator can fix. The message is one line, and includes the fix."""


class ConfigurationError(JudgeError):
    """A setting is wrong. The message names it, its value and what is expected."""
