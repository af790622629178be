"""Questions about code: dependencies, members, paths, explanations, search, text, documents."""
