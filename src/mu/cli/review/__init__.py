"""Commands for review: differences, architecture rules, cycles, dead code, supposed changes."""
