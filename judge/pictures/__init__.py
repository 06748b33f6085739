"""Pictures of the board as SVG and PNG."""
