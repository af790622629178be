"""Questions about change: two revisions, history, test selection, release notes."""
