"""Orders as text, both ways: what a player wrote to values with their doubts, and values to text."""
