"""Incremental builds: replace the rows of the files that an edit can affect."""
