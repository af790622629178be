"""The graph file: build, verify, audit, export and extend it, and keep it up to date."""
