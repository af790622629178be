"""Find nodes: by reference, by words, by line, by similar text; and filter listings."""
