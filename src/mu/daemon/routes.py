"""Which operations the daemon answers, and at which address."""

from collections.abc import Callable

from mu.operations.registry import OPERATIONS

_ELSEWHERE = frozenset(
    {
        "build",
        "check",
        "verify",
        "languages",
        "settings",
        "doctor",
        "diff",
        "change_impact",
        "select_tests",
        "run_workflow",
        "add_columns",
        "remove_column",
    }
)
"""What is about no workspace, builds graphs of its own, reads or writes other files, or runs what
the repository brings."""

ROUTES: dict[str, Callable[..., object]] = {
    f"/v1/{operation.__name__}": operation
    for operation in OPERATIONS
    if operation.__name__ not in _ELSEWHERE
}
"""Operations by their address."""
