"""Language support as code and data: strategies, library models, frameworks, entry points.

Importing this package imports none of its modules: most commands only need the small data files.
"""
