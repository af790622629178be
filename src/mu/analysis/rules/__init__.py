"""Contracts on imports: what they demand, which modules they name, and what breaks them."""
