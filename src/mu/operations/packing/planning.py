"""List components to choose from, then show their interfaces: for small context windows."""

import logging
import posixpath
import re
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass

from mu.analysis.node_search.node_resolution import resolve_node
from mu.context import Workflow, all_workflows, rank
from mu.context.catalogue import (
    Component,
    Parameter,
    Planning,
    build_discovery_context,
    build_planning_context,
)
from mu.errors import ExitCode, MuError
from mu.model.relation import Relation
from mu.operations.packing.ranking_inputs import repository_of
from mu.operations.source_lines import SourceLines
from mu.operations.workspace import Workspace
from mu.render.redaction import redact
from mu.render.shown import Shown

_log = logging.getLogger(__name__)

_WORD = re.compile(r"[^\W\d_]{4,}")

_COMPONENTS = """
SELECT node.key, node.id, node.kind::VARCHAR, place.path, node.start_line, node.qualified_name,
    if(node.kind = 'document', node.name, node.docstring), node.signature, node.returns,
    node.parameters, node.parent
FROM node JOIN file AS place ON place.key = node.file
LEFT JOIN node AS holder ON holder.key = node.parent
WHERE place.category = 'source' AND NOT node.is_test AND NOT node.is_generated
    AND node.kind IN ('module', 'class', 'function', 'document')
    AND (node.visibility <> 'private') AND coalesce(holder.kind <> 'function', TRUE)
ORDER BY place.path, node.start_line, node.key
"""


@dataclass(frozen=True, slots=True)
class Discovery(Shown):
    """The components of a repository, or those for a task, as `text`; `total` counts them."""

    text: str
    total: int


def discover(workspace: Workspace, task: str = "") -> Discovery:
    """List what there is to choose from, by name and first words: all, or what a task needs.

    Workflows come first. For a task it is those that have a word of it, and what `context` ranks,
    the best group first. At most 48 KB; more is counted.
    """
    components = _catalogue(workspace)
    workflows = [each for each in _workflows(workspace) if _is_near(each, task)]
    if task:
        repository = repository_of(workspace, SourceLines(workspace))
        ranked = rank(workspace.graph, task, repository=repository).nodes
        order = {node.id: place for place, node in enumerate(ranked)}
        components = sorted(
            (each for each in components if each.id in order), key=lambda each: order[each.id]
        )
    text = build_discovery_context(components, workflows)
    return Discovery(redact(text), len(components) + len(workflows))


def plan(workspace: Workspace, *ids: str) -> Planning:
    """Show the whole interface of the components and workflows with these ids, and nothing else.

    A component may also be named as any node is. Ids that no component has are told with near ones.
    Raises MuError (usage) without an id.
    """
    if not ids:
        raise MuError("no id is given", "`mu discover` lists them", ExitCode.USAGE)
    catalogue, workflows = _catalogue(workspace), _workflows(workspace)
    known = {each.id for each in catalogue} | {each.id for each in workflows}
    chosen = [_meant(workspace, each, known) for each in ids]
    found = build_planning_context(chosen, catalogue, workflows)
    return Planning(redact(found.text), found.unknown)


def _meant(workspace: Workspace, name: str, known: Set[str]) -> str:
    """Give the id of the component that is named so; the name itself where none or several are."""
    if name in known:
        return name
    try:
        found = resolve_node(workspace.graph, name).id
    except MuError:
        return name
    return found if found in known else name


def _workflows(workspace: Workspace) -> Sequence[Workflow]:
    """Give the workflows there are; what is wrong with the files of others goes to the log."""
    loaded = all_workflows(workspace.root)
    for problem in loaded.problems:
        _log.warning("skipped workflow %s", problem)
    return loaded.found


def _is_near(workflow: Workflow, task: str) -> bool:
    """Tell whether a workflow shares a word of four letters or more with the task, if any."""
    words = set(_WORD.findall(task.lower()))
    said = _WORD.findall(f"{workflow.name} {workflow.description}".lower())
    return not task or not words.isdisjoint(said)


def _catalogue(workspace: Workspace) -> list[Component]:
    """Give the modules, public classes and functions, and pages that are no tests."""
    rows = workspace.graph.run(Relation(_COMPONENTS), limit=None).rows
    members: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        members[str(row[10])].append(" ".join(str(row[7]).split()) or str(row[5]))
    components = []
    for key, node_id, kind, path, line, name, said, signature, returns, parameters, _ in rows:
        given = parameters if isinstance(parameters, list) and kind == "function" else []
        components.append(
            Component(
                id=str(node_id),
                name=str(name),
                kind=str(kind),
                group=posixpath.dirname(str(path)),
                description=str(said),
                signature=str(signature),
                place=f"{path}:{line}",
                parameters=tuple(map(_parameter, map(str, given))),
                outputs=str(returns) if kind == "function" else "",
                members=tuple(members[str(key)]) if kind in {"class", "module"} else (),
            )
        )
    return components


def _parameter(text: str) -> Parameter:
    """Read a parameter as it is written: `limit: int = 3`."""
    name, _, kind = text.partition(":")
    return Parameter(name.strip(), " ".join(kind.split()))
