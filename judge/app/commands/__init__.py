"""Commands by email: one module per topic, with its commands, readers and handlers."""
