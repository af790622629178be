"""Text to a token budget: packs, context for a question, overviews, planning views."""
