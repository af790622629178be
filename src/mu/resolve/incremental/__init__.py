"""Relinking of files whose bodies changed, with what the whole program said before."""
