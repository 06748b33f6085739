"""What has happened: the events, how they are written down, what a store of them promises."""
