"""Read emails from bytes to commands, and write emails from words to bytes."""
