"""The program before anything is resolved: files, symbol tables, modules, library stubs, models."""
