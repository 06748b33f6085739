"""Orders as text, both ways: what was written to values, doubts included, and back."""
