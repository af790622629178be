"""What could be missing from an answer: unresolved references, dispatch, callers outside."""
