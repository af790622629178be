"""Predict the effects of a move, removal or merge on an overlay of the graph.

Nothing is written.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import msgspec

from mu import config
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.rules.breaches import Breach, breaches
from mu.analysis.rules.contract import Contract, ContractKind
from mu.analysis.rules.module_imports import ModuleImports, read_module_imports
from mu.analysis.rules.module_sets import ModuleSet, ModuleSets
from mu.analysis.rules.overlay import (
    Affected,
    Place,
    broken_by_move,
    broken_by_removal,
    open_references,
    relocated,
    with_definition_moved,
)
from mu.errors import ExitCode, MuError
from mu.model.kinds import Verdict
from mu.model.relation import Relation
from mu.operations.results import DEFAULT_LIMIT, check_page
from mu.operations.workspace import Workspace
from mu.render.shown import Shown
from mu.store import GraphFile


class Action(StrEnum):
    """A hypothetical change."""

    MOVE = "move"
    REMOVE = "remove"
    MERGE = "merge"


class Consequence(NamedTuple):
    """A cycle or violation that exists only before or only after the change: rule, text, place."""

    rule: str
    message: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Consequences(Shown):
    """The effects of a hypothetical change.

    `subject` and `target` are what changes and where to, as paths or ids. Cycles are components of
    modules that import each other; violations those of the contracts in `mu.toml`. `references` are
    those that would lead nowhere until they are changed, at most the limit, of `total`; before the
    change none of them does. `conflicts` are names that both sides of a merge have.
    """

    action: Action
    subject: str
    target: str
    cycles_before: int
    cycles_after: int
    cycles_made: tuple[Consequence, ...]
    cycles_broken: tuple[Consequence, ...]
    violations_before: int
    violations_after: int
    violations_made: tuple[Consequence, ...]
    violations_mended: tuple[Consequence, ...]
    total: int
    references: tuple[Affected, ...]
    conflicts: tuple[str, ...]
    verdict: Verdict
    notes: tuple[str, ...] = ()
    next_offset: int | None = None


def what_if(
    workspace: Workspace,
    action: Action,
    *,
    subject: str,
    target: str = "",
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> Consequences:
    """Show what moving, removing or merging a module, folder or definition would do.

    `target` is where it moves, a file or folder that need not exist, or the module to merge into.
    Compared are import cycles, the contracts of `mu.toml`, and references that would be broken.
    Nothing is written. Raises MuError for what is not in the graph, and for a merge of definitions.
    """
    check_page(limit, offset)
    if (action is Action.REMOVE) == bool(target):
        text = "takes no target" if target else "needs a target"
        raise MuError(f"{action} {text}", "", ExitCode.USAGE)
    imports = read_module_imports(workspace.graph)
    change = _change(workspace.graph, imports, action, subject=subject, target=target)
    acyclic = Contract("acyclic", ContractKind.ACYCLIC)
    cycles = _compared((acyclic,), imports, change)
    contracts = [
        one for one in config.read_checks(workspace.root).contract
        if one.type is not ContractKind.DEAD_CODE
    ]  # fmt: skip
    rules = _compared(contracts, imports, change)
    page = change.references[offset : offset + limit]
    end = offset + len(page)
    doubts = open_references(workspace.graph, change.files, ids=change.ids)
    notes = [f"{doubts:,} unresolved references have a name of what would change"] if doubts else []
    return Consequences(
        action, change.subject, change.target,
        cycles.before, cycles.after, cycles.made, cycles.gone,
        rules.before, rules.after, rules.made, rules.gone,
        len(change.references), page, change.conflicts,
        Verdict.AT_LEAST if doubts else Verdict.EXACT,
        tuple(notes), end if page and end < len(change.references) else None,
    )  # fmt: skip


def supposed_imports(
    workspace: Workspace, action: Action, *, subject: str, target: str = ""
) -> ModuleImports:
    """Give the imports between files as they would be after a change; see `what_if`."""
    imports = read_module_imports(workspace.graph)
    return _change(workspace.graph, imports, action, subject=subject, target=target).after


class _Change(NamedTuple):
    """A change: the imports after it, where files move, and the references that it breaks."""

    subject: str
    target: str
    after: ModuleImports
    place: Place
    references: tuple[Affected, ...]
    files: frozenset[str]
    ids: tuple[str, ...]
    conflicts: tuple[str, ...] = ()


def _change(
    graph: GraphFile, imports: ModuleImports, action: Action, *, subject: str, target: str
) -> _Change:
    sets = ModuleSets(imports)
    found = sets.find(subject) if "*" not in subject else ()
    if not found or found[0].members <= imports.outside:
        return _of_definition(graph, imports, action, subject=subject, target=target)
    module, root = found[0], _root(sets, found[0])
    ids = tuple(f"pkg:{path}" for path in module.members & imports.packages)
    if action is Action.REMOVE:
        place = _relocation(root, "")
        references = broken_by_removal(graph, module.members, ids=ids)
        after = relocated(imports, place)
        return _Change(root, "", after, place, references, module.members, ids=ids)
    goal = _goal(sets, root, action, target=target)
    if goal == root or goal.startswith(f"{root}/"):
        raise MuError(f"{target} is {root} or lies in it", "", ExitCode.USAGE)
    place = _relocation(root, goal)
    conflicts: tuple[str, ...] = ()
    if action is Action.MERGE:
        conflicts = _conflicts(graph, imports, module, place=place)
    elif any(place(path) in imports.names for path in module.members):
        raise MuError(f"{goal} is there already", "merge it instead", ExitCode.USAGE)
    references = tuple(
        one for one in broken_by_move(graph, module.members, ids=ids)
        if one.path not in module.members or _folder(place(one.path)) != _folder(one.path)
    )  # fmt: skip
    after = relocated(imports, place)
    return _Change(root, goal, after, place, references, module.members, ids, conflicts)


def _of_definition(
    graph: GraphFile, imports: ModuleImports, action: Action, *, subject: str, target: str
) -> _Change:
    node = resolve_node(graph, subject)
    ids = (node.id,)
    every = broken_by_removal(graph, frozenset(), ids=ids)
    if action is Action.REMOVE:
        return _Change(node.id, "", imports, _unmoved, every, frozenset(), ids=ids)
    if action is Action.MERGE:
        raise MuError("only modules and folders can be merged", "", ExitCode.USAGE)
    sets = ModuleSets(imports)
    found = sets.find(target)
    new = min(sets.itself(found[0]), default="") if found else target.removeprefix("./")
    if new not in imports.names and "." not in new.rpartition("/")[2]:
        raise MuError(f"{target} is no file", "name the file it moves to", ExitCode.USAGE)
    if new == node.path:
        raise MuError(f"{node.id} is in {new} already", "", ExitCode.USAGE)
    naming = broken_by_move(graph, frozenset(), ids=ids)
    named = {one.path for one in naming}
    used = (
        one for one in every
        if one.via != "imports" and (one.path == node.path or one.path not in named)
    )  # fmt: skip
    references = (one for one in {*naming, *used} if one.path != new)
    ordered = tuple(sorted(references, key=lambda one: (one.path, one.line, one.via)))
    after = with_definition_moved(graph, imports, definition=node.id, old=node.path, new=new)
    return _Change(node.id, new, after, _unmoved, ordered, frozenset(), ids=ids)


def _unmoved(path: str) -> str:
    return path


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _is_within(path: str, root: str) -> bool:
    return path == root or path.startswith(f"{root}/")


def _relocation(root: str, goal: str) -> Place:
    """Map the paths below `root` to those below `goal`; an empty goal maps them to nothing."""

    def place(path: str) -> str:
        if not _is_within(path, root):
            return path
        return f"{goal}{path.removeprefix(root)}" if goal else ""

    return place


def _root(sets: ModuleSets, module: ModuleSet) -> str:
    """Give the path of the file or folder of a module."""
    if any(path.startswith(f"{module.label}/") for path in module.members):
        return module.label
    if len(module.members) == 1:
        return min(module.members)
    entries = sets.itself(module)
    return min(entries).rpartition("/")[0] if entries else module.label


def _goal(sets: ModuleSets, root: str, action: Action, *, target: str) -> str:
    """Give the path of a file or folder after the change."""
    found = sets.find(target)
    if action is Action.MERGE:
        if not found:
            raise MuError(f"{target} is not in the graph", "", ExitCode.NO_NODE)
        return _root(sets, found[0])
    wanted = target.removeprefix("./").rstrip("/")
    name = root.rpartition("/")[2]
    if found and len(found[0].members) > 1:
        return f"{_root(sets, found[0])}/{name}"
    has_ending = "." in wanted.rpartition("/")[2]
    return wanted if has_ending or "." not in name else f"{wanted}/{name}"


_NAMES = """
SELECT file.path, node.name FROM node JOIN file ON file.key = node.file
JOIN node AS parent ON parent.key = node.parent
WHERE parent.kind = 'module' AND node.kind IN ('class', 'function', 'variable')
"""


def _conflicts(
    graph: GraphFile, imports: ModuleImports, module: ModuleSet, *, place: Place
) -> tuple[str, ...]:
    """Name what both sides of a merge define: files of folders, definitions of files."""
    twice = {place(path) for path in module.members} & set(imports.names) - module.members
    if len(module.members) > 1:
        return tuple(sorted(twice))
    (path,) = module.members
    names: dict[str, set[str]] = {}
    for file, name in graph.run(Relation(_NAMES), limit=None).rows:
        names.setdefault(str(file), set()).add(str(name))
    both = names.get(path, set()) & names.get(place(path), set())
    return tuple(sorted(both))


class _Sides(NamedTuple):
    before: int
    after: int
    made: tuple[Consequence, ...]
    gone: tuple[Consequence, ...]


def _compared(contracts: Iterable[Contract], imports: ModuleImports, change: _Change) -> _Sides:
    """Compare the violations before and after a change; moved files count as the same."""
    before: dict[tuple[str, ...], Consequence] = {}
    after: dict[tuple[str, ...], Consequence] = {}
    for contract in contracts:
        for breach in _breaches(contract, imports):
            before[_key(contract, breach, change.place)] = _consequence(contract, breach)
        for breach in _breaches(contract, change.after):
            after[_key(contract, breach, _unmoved)] = _consequence(contract, breach)
    made = tuple(row for key, row in after.items() if key not in before)
    gone = tuple(row for key, row in before.items() if key not in after)
    return _Sides(len(before), len(after), made, gone)


def _breaches(contract: Contract, imports: ModuleImports) -> Iterator[Breach]:
    """Find violations of a contract, and names in it that no longer exist, which are ignored."""
    while True:
        try:
            found = tuple(breaches(contract, imports))
        except LookupError as error:
            name = str(error.args[0])
            yield Breach(f"the contract names {name}, which would not be there", name, 0)
            rest = _without(contract, name)
            if rest == contract:
                return
            contract = rest
        else:
            yield from found
            return


def _without(contract: Contract, name: str) -> Contract:
    """Remove the name of a module or of an ignored import from a contract."""
    layers = tuple(
        layer.replace(part.strip(), f"({part.strip()})")
        if (part := next((one for one in re.split("[|:]", layer) if _is_named(one, name)), ""))
        else layer
        for layer in contract.layers
    )
    rest = {
        key: tuple(one for one in getattr(contract, key) if one.strip() != name)
        for key in ("modules", "source", "target", "containers", "skip")
    }
    allow = contract.allow_unmatched or name.startswith("the import ")
    return msgspec.structs.replace(contract, layers=layers, allow_unmatched=allow, **rest)


def _is_named(part: str, name: str) -> bool:
    return part.strip() == name or name.endswith(f".{part.strip()}")


def _key(contract: Contract, breach: Breach, place: Place) -> tuple[str, ...]:
    steps = breach.cut or breach.steps or breach.many
    ends = (f"{place(step.path)} -> {place(step.target)}" for step in steps)
    return (contract.name, *(ends if steps else (breach.message,)))


def _consequence(contract: Contract, breach: Breach) -> Consequence:
    text = breach.message
    if breach.steps and contract.type in (ContractKind.ACYCLIC, ContractKind.ACYCLIC_SIBLINGS):
        text = " -> ".join([*(step.path for step in breach.steps), breach.steps[-1].target])
    return Consequence(contract.name, text, breach.path, breach.line)
