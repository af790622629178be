"""Whether `mu tests --diff` selects the tests that a change makes fail, and how many others."""
