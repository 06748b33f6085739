"""What the moderator sees and does at the desk."""
