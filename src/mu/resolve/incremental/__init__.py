"""Incremental update: relink what an edit can affect, from the whole-program facts of the last
build.
"""
