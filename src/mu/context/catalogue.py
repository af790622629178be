"""What a planner may choose from, and what it is shown of it: first names, then interfaces.

Discovery lists all components with a line each and never their parameters; planning shows all of
the few that were chosen. So a planner with a small window reads what it needs and no more.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import groupby

from mu.context.structures import dotted_paths, parse_structure
from mu.context.workflows import Input, Workflow
from mu.render.shown import Shown

MOST_BYTES = 48_000
"""Bytes of a discovery, whatever there is; what does not fit is counted."""

_DESCRIPTION = 100
_NEAREST = 3
_PLURAL = {"class": "classes"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a component, or an input or output of a workflow, as far as is known."""

    name: str
    type: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Component:
    """Something that can be used: a module, class, function, page or workflow.

    `group` is the package or folder it stands in. `inputs` and `outputs` are structures as
    `parse_structure` reads them, or any text; `members` are what a class or module offers.
    """

    id: str
    name: str
    kind: str
    group: str
    description: str = ""
    signature: str = ""
    place: str = ""
    parameters: tuple[Parameter, ...] = ()
    inputs: str = ""
    outputs: str = ""
    members: tuple[str, ...] = ()


Saved = Sequence[Workflow | Component]
"""Saved workflows, as they are loaded or as components."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """An id that no component has, and the ids that look like it."""

    id: str
    nearest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Planning(Shown):
    """The interfaces of the components that were chosen, and what of the choice is `unknown`."""

    text: str
    unknown: tuple[Unknown, ...]


def build_discovery_context(
    catalogue: Sequence[Component], saved_workflows: Saved | None = None
) -> str:
    """List components by group and kind, a line each: name, id and the first words about it.

    Has no parameters, and at most MOST_BYTES bytes: where there are more components each group
    gives the same number of them and counts the rest.
    """
    everything = [*_components(saved_workflows), *catalogue]
    groups = _grouped(everything)
    shown = max(map(len, groups.values()), default=0)
    while True:
        text = "".join(_listing(name, group, shown) for name, group in groups.items())
        if len(text.encode()) <= MOST_BYTES:
            return text
        if shown == 0:
            return _cut(text, len(everything))
        shown = shown * 2 // 3


def build_planning_context(
    selected: Sequence[str],
    catalogue: Sequence[Component],
    saved_workflows: Saved | None = None,
) -> Planning:
    """Show all there is to know of the selected components, in their order, and nothing else.

    An id that nothing has is `unknown`, with the ids that are most like it.
    """
    known = {each.id: each for each in (*catalogue, *_components(saved_workflows))}
    ids = list(dict.fromkeys(selected))
    text = "\n".join(_interface(known[name]) for name in ids if name in known)
    return Planning(text, tuple(_unknown(name, known) for name in ids if name not in known))


def build_context(catalogue: Sequence[Component], saved_workflows: Saved | None = None) -> str:
    """Show all there is to know of all components at once, for a window that is large enough."""
    everything = [*_components(saved_workflows), *catalogue]
    return build_planning_context([each.id for each in everything], everything).text


def _components(saved: Saved | None) -> list[Component]:
    return [each if isinstance(each, Component) else _component(each) for each in saved or ()]


def _component(workflow: Workflow) -> Component:
    """Give a workflow as a component; its inputs are parameters, with their words."""
    return Component(
        id=workflow.id,
        name=workflow.name,
        kind=workflow.type,
        group="workflows",
        description=workflow.description,
        parameters=tuple(map(_parameter, workflow.inputs)),
        inputs="{" + ", ".join(f"{each.name}: {each.type}" for each in workflow.inputs) + "}",
        outputs=workflow.outputs,
        place=workflow.origin,
        members=tuple(
            f"step {step.name}: {step.muql or step.operation}" for step in workflow.steps
        ),
    )


def _parameter(given: Input) -> Parameter:
    said = given.description
    if given.default is not None:
        said = f"{said} (default: {given.default})".strip()
    return Parameter(given.name, given.type, said)


def _grouped(components: Sequence[Component]) -> dict[str, list[Component]]:
    groups: dict[str, list[Component]] = {}
    for each in components:
        groups.setdefault(each.group, []).append(each)
    return groups


def _listing(name: str, group: Sequence[Component], shown: int) -> str:
    """Write a group: how many of each kind, the first so many, and what is left out."""
    counts = Counter(each.kind for each in group)
    counted = ", ".join(f"{count} {_many(kind, count)}" for kind, count in counts.items())
    lines = [f"## {name or '.'}: {counted}"]
    ordered = sorted(group[:shown], key=lambda each: list(counts).index(each.kind))
    for kind, of_kind in groupby(ordered, key=lambda each: each.kind):
        lines += [f"{kind} {each.name} [{each.id}]{_said(each)}" for each in of_kind]
    if len(group) > shown:
        lines.append(f"... {len(group) - shown} more")
    return "\n".join([*lines, ""])


def _many(kind: str, count: int) -> str:
    return kind if count == 1 else _PLURAL.get(kind, f"{kind}s")


def _said(component: Component) -> str:
    """Give the first sentence about a component, on one line."""
    first = " ".join(component.description.strip().split("\n\n")[0].split())
    first = first if len(first) <= _DESCRIPTION else f"{first[:_DESCRIPTION]}..."
    return f": {first}" if first else ""


def _cut(text: str, total: int) -> str:
    """Leave out the groups that are too many, and count all."""
    kept = text.encode()[: MOST_BYTES - 100].decode(errors="ignore").rpartition("\n")[0]
    return f"{kept}\n... {total} components in all\n"


def _interface(component: Component) -> str:
    return "\n".join([*_described(component), ""])


def _described(component: Component) -> Iterator[str]:
    yield f"## {component.kind} {component.name} [{component.id}]"
    if component.place:
        yield f"at {component.place}"
    if component.description.strip():
        yield component.description.strip()
    if component.signature:
        yield " ".join(component.signature.split())
    for parameter in component.parameters:
        kind = f": {parameter.type}" if parameter.type else ""
        said = f" - {parameter.description}" if parameter.description else ""
        yield f"- {parameter.name}{kind}{said}"
    for title, structure in (("inputs", component.inputs), ("outputs", component.outputs)):
        yield from _structured(title, structure)
    for member in component.members:
        yield f"  {member}"


def _structured(title: str, text: str) -> Iterator[str]:
    """Write a structure as it is written and as dotted paths."""
    if not text:
        return
    yield f"{title}: {text}"
    fields = parse_structure(text)
    if not isinstance(fields, str):
        yield from (f"  {path}" for path in dotted_paths(fields))


def _unknown(name: str, known: Mapping[str, Component]) -> Unknown:
    by_name = {each.name: each.id for each in known.values()}
    near = get_close_matches(name, known, n=_NEAREST, cutoff=0.6)
    near += [by_name[each] for each in get_close_matches(name, by_name, n=_NEAREST, cutoff=0.6)]
    return Unknown(name, tuple(dict.fromkeys(near))[:_NEAREST])
