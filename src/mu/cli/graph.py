"""The commands that ask what a node depends on, and what depends on it."""

from typing import Protocol, Unpack

import click

from mu.cli import options, walk_options
from mu.cli.output import show
from mu.model.kinds import DEPENDENCY_KINDS
from mu.operations import graph as operations
from mu.operations.graph import Kinds
from mu.operations.results import NodeRows
from mu.operations.workspace import Workspace


class _Given(options.Paged):
    node: str
    depth: int | None


class _GivenKinds(_Given):
    kind: tuple[str, ...]


class _Operation(Protocol):
    def __call__(
        self, workspace: Workspace, node: str, /, *, depth: int | None, limit: int, offset: int
    ) -> NodeRows: ...


class _KindsOperation(Protocol):
    def __call__(
        self,
        workspace: Workspace,
        node: str,
        /,
        *,
        depth: int | None,
        kinds: Kinds,
        limit: int,
        offset: int,
    ) -> NodeRows: ...


_NODE = click.Argument(["node"])
_KINDS = walk_options.kinds(DEPENDENCY_KINDS)
_REST = (*options.page(), *options.FORM)
_NEAR = [_NODE, walk_options.depth(1), _KINDS, *_REST]
_FAR = [_NODE, walk_options.depth(), _KINDS, *_REST]
_CALLS = [_NODE, walk_options.depth(1), *_REST]


@click.command(params=_NEAR)
@click.pass_obj
def deps(start: str | None, /, **given: Unpack[_GivenKinds]) -> None:
    """List what NODE depends on, directly: what it uses.

    A class stands for its members, a module for its definitions. Columns: id, name, kind, path and
    line of what was found, its distance, the kind of edge it was reached by (via) and from where
    (from_id).

    \b
    Example:
      mu deps src/app/auth.py --kind imports
    """
    _ask_kinds(start, operations.deps, given)


@click.command(params=_NEAR)
@click.pass_obj
def dependents(start: str | None, /, **given: Unpack[_GivenKinds]) -> None:
    """List what depends on NODE, directly: what uses it.

    A class stands for its members, a module for its definitions. The columns are those of `mu
    deps`.

    \b
    Example:
      mu dependents AuthService --kind inherits
    """
    _ask_kinds(start, operations.dependents, given)


@click.command(params=_CALLS)
@click.pass_obj
def callees(start: str | None, /, **given: Unpack[_Given]) -> None:
    """List what NODE calls; for a class or module, what is called inside it.

    Making an object of a class counts as calling the class. The columns are those of `mu deps`.
    """
    _ask(start, operations.callees, given)


@click.command(params=_CALLS)
@click.pass_obj
def callers(start: str | None, /, **given: Unpack[_Given]) -> None:
    """List what calls NODE; for a class or module, what calls any part of it from outside.

    The verdict is `exact` when no unresolved call in the repository could mean the node, else `at
    least`, and the first of those calls are listed. The columns are those of `mu deps`.

    \b
    Example:
      mu callers AuthService.login
    """
    _ask(start, operations.callers, given)


@click.command(params=_FAR)
@click.pass_obj
def ancestors(start: str | None, /, **given: Unpack[_GivenKinds]) -> None:
    """List all that NODE uses, directly or through others: what it stands on.

    If handler calls service and service calls query, the ancestors of handler are service and
    query. The columns are those of `mu deps`.
    """
    _ask_kinds(start, operations.ancestors, given)


@click.command(params=_FAR)
@click.pass_obj
def impact(start: str | None, /, **given: Unpack[_GivenKinds]) -> None:
    """List all that uses NODE, directly or through others: what a change of it may break.

    If handler calls service and service calls query, the impact of query is service and handler.
    The columns are those of `mu deps`, and is_test.

    \b
    Example:
      mu impact src/app/auth.py:login --json
    """
    _ask_kinds(start, operations.impact, given)


def _ask(start: str | None, operation: _Operation, given: _Given) -> None:
    with options.workspace(start) as workspace:
        result = operation(
            workspace,
            given["node"],
            depth=given["depth"],
            limit=given["limit"],
            offset=given["offset"],
        )
    show(result, options.form(given))


def _ask_kinds(start: str | None, operation: _KindsOperation, given: _GivenKinds) -> None:
    with options.workspace(start) as workspace:
        result = operation(
            workspace,
            given["node"],
            depth=given["depth"],
            kinds=walk_options.chosen_kinds(given["kind"], DEPENDENCY_KINDS),
            limit=given["limit"],
            offset=given["offset"],
        )
    show(result, options.form(given))
