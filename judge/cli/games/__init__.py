"""Commands about games: list, change, import, report."""
