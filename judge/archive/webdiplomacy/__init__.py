"""What webDiplomacy calls things."""
