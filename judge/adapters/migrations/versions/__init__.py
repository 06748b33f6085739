"""One module per step; a step that has been released never changes."""
