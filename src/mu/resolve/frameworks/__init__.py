"""Frameworks: registrations, routes, events, injection, entry points."""
