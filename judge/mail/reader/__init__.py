"""What an email contains: its new text, order sections, press, prose."""
