"""One module for each format that an answer or a graph is written in."""
