"""Comparison of the two versions of changed files, and the files and functions that it affects."""
