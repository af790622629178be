"""Types: annotations, type parameters, narrowing, return summaries."""
