"""Commands for the operator of a judge."""
