"""What is known of each language: rules of names, frameworks, entry points, measured precision.

Importing this package imports none of it: a question of the shell needs only what reaches where.
"""
