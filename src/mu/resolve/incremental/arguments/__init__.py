"""Arguments that an edit adds or removes, beyond those of the files that it changed."""
