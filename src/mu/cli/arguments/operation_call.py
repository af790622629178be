"""Ask an operation: of the daemon when it serves the workspace, else of the graph file."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from mu import config
from mu.cli.arguments import options
from mu.operations.workspace import Workspace

P = ParamSpec("P")
R = TypeVar("R")

_RECORD = "daemon.json"


def ask(
    start: str | None,
    operation: Callable[Concatenate[Workspace, P], R],
    *given: P.args,
    **named: P.kwargs,
) -> R:
    """Call an operation on the workspace around `-C` or the current folder.

    A daemon answers what the graph file would; where none serves the workspace the file is opened.
    """
    if (config.state_folder() / _RECORD).exists():
        from mu.client import DaemonClient, DaemonError

        root = options.find(start).root
        try:
            with DaemonClient.connect() as client:
                return client.ask(root, operation, *given, **named)
        except DaemonError:
            pass
    with options.workspace(start) as workspace:
        return operation(workspace, *given, **named)
