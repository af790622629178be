"""Find what an edit of bases or members of classes affects elsewhere."""
