"""The commands that ask what a node depends on, and what depends on it."""

from typing import Protocol, Unpack

import click

from mu.cli.arguments import options, walk_options
from mu.cli.arguments.node_argument import node_argument
from mu.cli.arguments.operation_call import ask
from mu.cli.display.result_output import show
from mu.model.kinds import DEPENDENCY_KINDS
from mu.operations.answers.call_sites import Sites
from mu.operations.navigation import dependencies as operations
from mu.operations.navigation.dependencies import Kinds
from mu.operations.results import NodeRows
from mu.operations.workspace import Workspace


class _Given(options.Paged, walk_options.Scoped):
    node: str
    depth: int | None
    each_site: bool
    is_possible: bool


class _GivenKinds(_Given):
    kind: tuple[str, ...]


class _Operation(Protocol):
    def __call__(
        self,
        workspace: Workspace,
        node: str,
        /,
        *,
        depth: int | None,
        limit: int,
        offset: int,
        **shown: Unpack[operations.Shown],
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
        **shown: Unpack[operations.Shown],
    ) -> NodeRows: ...


_NODE = node_argument()
_KINDS = walk_options.kinds(DEPENDENCY_KINDS)
_REST = (
    walk_options.SITES,
    walk_options.POSSIBLE,
    *walk_options.SCOPE,
    *options.page(),
    *options.FORM,
)
_NEAR = [_NODE, walk_options.depth(1), _KINDS, *_REST]
_CHANGED = [
    node_argument(is_required=False, metavar="[NODE]"),
    walk_options.DIFF,
    walk_options.depth(),
    _KINDS,
    *_REST,
]
_FAR = [_NODE, walk_options.depth(), _KINDS, *_REST]
_CALLS = [_NODE, walk_options.depth(1), *_REST]


@click.command(params=[*_NEAR, walk_options.BUILTINS])
@click.pass_obj
def deps(start: str | None, /, *, builtins: bool, **given: Unpack[_GivenKinds]) -> None:
    """List the direct dependencies of NODE: what it imports, calls, extends and uses.

    A class stands for its members, a module for its definitions. Builtins of the language are left
    out unless --builtins is given.

    \b
    Example:
      mu deps src/app/auth.py --kind imports
    """
    _ask_kinds(start, operations.deps, given, builtins=builtins)


@click.command(params=_NEAR)
@click.pass_obj
def dependents(start: str | None, /, **given: Unpack[_GivenKinds]) -> None:
    """List the direct dependents of NODE: what imports, calls, extends or uses it.

    A class stands for its members, a module for its definitions.

    \b
    Example:
      mu dependents AuthService --kind inherits
    """
    _ask_kinds(start, operations.dependents, given)


@click.command(params=[*_CALLS, walk_options.BUILTINS])
@click.pass_obj
def callees(start: str | None, /, *, builtins: bool, **given: Unpack[_Given]) -> None:
    """List what NODE calls, with the call sites; for a class or module, what is called inside it.

    Instantiating a class counts as calling it. Builtins of the language are left out unless
    --builtins is given.
    """
    _ask(start, operations.callees, given, builtins=builtins)


@click.command(params=_CALLS)
@click.pass_obj
def callers(start: str | None, /, **given: Unpack[_Given]) -> None:
    """List the callers of NODE, with their call sites.

    For a class or module: the callers of any part of it. Calls inside NODE, such as recursive ones,
    are left out; `mu references` lists them. Tests come last. Before them, and among them, calls
    that name NODE come first, then calls through a registration, then calls that may also mean
    other definitions. The answer is `exact` when no unresolved call in the repository could mean
    NODE; otherwise `at least`, and the first such calls are listed as possible.

    \b
    Examples:
      mu callers AuthService.login
      mu callers AuthService.login --sites --format vimgrep
    """
    _ask(start, operations.callers, given)


@click.command(params=_FAR)
@click.pass_obj
def ancestors(start: str | None, /, **given: Unpack[_GivenKinds]) -> None:
    """List everything NODE depends on, directly or transitively.

    If handler calls service and service calls query, the ancestors of handler are service and
    query.
    """
    _ask_kinds(start, operations.ancestors, given)


@click.command(params=_CHANGED)
@click.pass_obj
def impact(start: str | None, /, *, revisions: str | None, **given: Unpack[_GivenKinds]) -> None:
    """List everything that depends on NODE, directly or transitively: what a change may break.

    If handler calls service and service calls query, the impact of query is service and handler.
    With --diff REV the change is that of a change set, as in `mu diff`: what changed comes first,
    at distance 0, then what depends on it; --depth, --sites, --in and --no-tests do not apply.

    \b
    Examples:
      mu impact src/app/auth.py:login --no-tests
      mu impact --diff main...HEAD
    """
    walk_options.check_subject(given["node"], revisions)
    if revisions is not None:
        from mu.cli.review.change_set import show_impact

        show_impact(
            start,
            revisions,
            kinds=walk_options.chosen_kinds(given["kind"], DEPENDENCY_KINDS),
            page=(options.row_limit(given), given["offset"]),
            form=options.form(given),
        )
        return
    _ask_kinds(start, operations.impact, given)


def _ask(start: str | None, operation: _Operation, given: _Given, *, builtins: bool = True) -> None:
    result = ask(
        start,
        operation,
        given["node"],
        depth=given["depth"],
        scope=walk_options.scope(given, builtins=builtins),
        sites=_sites(given),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))


def _ask_kinds(
    start: str | None, operation: _KindsOperation, given: _GivenKinds, *, builtins: bool = True
) -> None:
    result = ask(
        start,
        operation,
        given["node"],
        depth=given["depth"],
        kinds=walk_options.chosen_kinds(given["kind"], DEPENDENCY_KINDS),
        scope=walk_options.scope(given, builtins=builtins),
        sites=_sites(given),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))


def _sites(given: _Given) -> Sites:
    if given["is_possible"]:
        return Sites.OPEN
    return Sites.EACH if given["each_site"] else Sites.FIRST
