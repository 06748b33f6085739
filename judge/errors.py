"""What only an operator can mend, raised; a player's mistake is a value instead."""


class JudgeError(Exception):
    """Something an operator can mend. The message is one line, and says what to do."""


class ConfigurationError(JudgeError):
    """A setting is wrong. The message names it, its value and what is expected."""
