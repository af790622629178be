"""Measures MU against its floor and its goals; figures are ratios within one run on one machine."""
