"""The differences between languages: seven strategies, which `mu.languages` implements."""
