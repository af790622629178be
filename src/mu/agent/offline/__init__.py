"""Answers without a model: recognise a question, and plan the calls that answer it."""
