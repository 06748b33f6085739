"""What an email says: its new text, order sections, press, prose."""
