"""Source text before and beside its tree: what is embedded in it, left out of it, or prose."""
