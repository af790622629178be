"""Commands for the graph file and the installation."""
