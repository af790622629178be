"""The walk over a syntax tree, and the handlers of the roles that query patterns capture."""
