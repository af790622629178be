"""SELECT: checked as a tree, expanded, and bound without being run."""
