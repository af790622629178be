"""Source text besides its syntax tree: embedded code, macro calls, error recovery and prose."""
