"""Read what an email contains: new text, sections of orders, press, prose."""
