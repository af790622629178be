"""Reads a report as bytes, up to a size."""

from pathlib import Path

from mu.reports.errors import ReportError

MOST_BYTES = 500_000_000


def read_report(path: Path) -> bytes:
    """Read a regular file whole; raises ReportError for what is none, and for one that is large."""
    try:
        if not path.is_file():
            raise ReportError(f"{path.name} is not a file", "give the report's file")
        if path.stat().st_size > MOST_BYTES:
            raise ReportError(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB")
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "unknown").lower()
        raise ReportError(f"{path.name} cannot be read: {reason}") from error
