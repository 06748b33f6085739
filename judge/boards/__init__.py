"""Boards as texts: the files of a variant, read, checked, written and imported.

A variant is a folder: `variant.toml` and tables of provinces, locations and borders, or one that
`extends` another and says what differs. docs/variants.md describes it.
"""
