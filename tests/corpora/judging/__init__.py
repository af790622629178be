"""Reads the corpora, builds the graph of each case and judges it; README.md is the format."""
