"""How results are written: rows, tables, JSON, and the progress of a build."""
