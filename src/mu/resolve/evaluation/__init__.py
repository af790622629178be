"""Points-to sets of expressions, variables, fields, containers and parameters."""
