"""The walk over a tree, and what it does at a node by the roles of what patterns captured."""
