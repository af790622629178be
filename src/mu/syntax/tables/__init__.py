"""What a walk fills: scopes and the names in them, versions, rows of values, references."""
