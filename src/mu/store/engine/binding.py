"""DuckDB's extension module, without the Python package around it where that is possible.

`import duckdb` takes 80 ms of CPU more than the module in it: the package adds relations,
expressions and the metadata of its installation. MU uses connections and errors alone, which are
the module's. It is imported where it is used, as the package would be.
"""

try:
    import _duckdb as duckdb
except ImportError:  # not every DuckDB is built of these two parts
    import duckdb  # type: ignore[no-redef] # the same names

__all__ = ["duckdb"]
