"""MU: a repository as one file, and answers about its structure."""

__version__ = "0.1.0"
