"""Commands for MUQL: one query, a session of them, and saved workflows."""
