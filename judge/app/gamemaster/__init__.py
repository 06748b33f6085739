"""The views and actions of the moderator's desk."""
