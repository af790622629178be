"""Two versions of a changed file compared: what of it others can see, and which of them may."""
