"""Texts that grow in one way alone, and what the extraction of each costs at three sizes."""
