"""Errors that only an operator can fix; the mistakes of players are values instead."""


class JudgeError(Exception):
    """Something an operator can mend. The message is one line, and says what to do."""


class ConfigurationError(JudgeError):
    """A setting is wrong. The message names it, its value and what is expected."""
