"""The store: SQLite or PostgreSQL, tables, transactions, backups."""
