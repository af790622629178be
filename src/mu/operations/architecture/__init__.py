"""Architecture: rules and contracts, cycles, dead code, and supposed changes."""
