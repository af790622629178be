"""From a folder to a graph in memory: extract, link, digest, count."""
