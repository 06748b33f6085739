"""Commands by email: one module a topic, each with what it decides and answers."""
