"""What a reader is told: one frozen class a mail, made by a builder, put into words by a template."""
