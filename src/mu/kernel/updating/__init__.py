"""Incremental builds: replace rows of the files that an edit can alter."""
