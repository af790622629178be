"""Commands that answer questions about code: search, dependencies, paths, source, documents."""
