"""The graph statements: SHOW, FIND, PATH, ANALYZE, DESCRIBE."""
