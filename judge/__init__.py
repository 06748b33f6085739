"""The judge runs the board game Diplomacy by email."""
