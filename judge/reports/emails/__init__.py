"""Emails the judge sends: one module for each family, with its contexts and their builders."""
