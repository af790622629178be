"""Compares two graphs of one repository: definitions, public signatures, calls and modules."""
