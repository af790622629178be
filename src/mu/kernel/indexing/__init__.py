"""Build the graph of a folder in memory: extract, link, digest, count."""
