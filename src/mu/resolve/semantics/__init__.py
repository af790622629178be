"""What differs between languages: seven strategies, which `mu.languages` implements for each."""
