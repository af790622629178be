"""DuckDB: its module, connections without reach, errors in our words, deadlines, cells."""
