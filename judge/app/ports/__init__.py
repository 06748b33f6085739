"""The interfaces to storage, the clock and the email sandbox."""
