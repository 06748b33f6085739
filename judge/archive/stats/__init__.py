"""What many recorded games have in common, counted."""
