"""What is raised for a report that cannot be used."""

from mu.errors import ExitCode, MuError


class ReportError(MuError):
    """A report that is damaged, of another format, or empty; nothing of it was taken."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, ExitCode.USAGE)
