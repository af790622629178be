"""Language models: the interface to them, Claude, servers and small models, and their protocols."""
