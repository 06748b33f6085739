"""What the application needs from storage, the clock and the email sandbox."""
