"""The text that judges by mail wrote, from lines to what they say: what readers of it share."""
