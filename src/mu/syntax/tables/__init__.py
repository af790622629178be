"""What the walk over one file builds: scopes, name versions, expression rows and references."""
