"""What has happened: the events of a game, how they are written down, and the promise a store of them makes."""
