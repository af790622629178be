"""Lookup of names and members: scopes, modules, MRO, class hierarchy."""
