"""What an answer costs a coding assistant: MU's tools beside searching and reading files."""
