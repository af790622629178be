"""What answers share: sites with source text, verdicts, changed files, text for assistants."""
