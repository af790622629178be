"""The graph as rows: what `resolve` makes and `store` keeps.

Rows are named tuples and not dataclasses because there are hundreds of thousands of them: django
has 300,000 sites, and bulk loading takes tuples as they are (0.3 s) where objects would have to be
taken apart first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mu.model.kinds import Category, EdgeKind, EntryRole, NodeKind, Reason, Rule, SiteKind
from mu.model.words import FileWords


class File(NamedTuple):
    """One file that was seen: indexed, or skipped with a reason.

    `key` is its place in `Graph.files`; `path` is relative to the root, with `/`; `status` is
    `indexed` or `skipped`; `reason` is empty for an indexed file; `digest` is a hex BLAKE2b-128 of
    the bytes that were parsed, empty when none were; `problems` are `line: what` texts.
    """

    key: int
    path: str
    language: str
    category: Category
    status: str
    reason: str
    digest: str
    bytes: int
    lines: int
    problems: tuple[str, ...]


class Node(NamedTuple):
    """One node. `key` is its place in `Graph.nodes`; `file` and `parent` are keys, -1 for none.

    Lines count from 1, `end_line` is the last one. `parameters` are the parameters as written.
    `digest` is a hex digest of the body's text, so that a change of the body shows. Names in
    `decorators` are as written, without the marker.
    """

    key: int
    id: str
    kind: NodeKind
    subkind: str
    name: str
    qualified_name: str
    module: str
    language: str
    file: int
    parent: int
    start_line: int
    end_line: int
    signature: str
    docstring: str
    visibility: str
    is_async: bool
    is_static: bool
    is_abstract: bool
    is_test: bool
    is_generated: bool
    decorators: list[str]
    parameters: list[str]
    returns: str
    complexity: int
    lines: int
    digest: str


class Edge(NamedTuple):
    """One edge: `source` depends on `target` (for `contains`: `target` is defined in `source`).

    There is one row for each (source, target, kind, role). The first site gives `line` and `rule`;
    `sites` counts them all. `role` tells more: `annotation`, `value`, `decorator` or `injected` for
    uses;
    `type-only` or `lazy` for imports; `extends` for inherits.
    """

    source: int
    target: int
    kind: EdgeKind
    role: str
    line: int
    rule: Rule
    sites: int


class Site(NamedTuple):
    """One reference in the text, resolved or not.

    A reference that several definitions may answer has a row for each, numbered by `choice` from 0.
    `source` is the node whose text holds the reference; `name` is the last identifier of `text`;
    `target` is a node key, or -1 with the `reason`. A site that means something external has both:
    the external node and the reason `external`. `candidates` counts the definitions that would fit,
    where nothing else is known up to ten.
    """

    kind: SiteKind
    source: int
    file: int
    line: int
    text: str
    name: str
    target: int
    choice: int
    rule: Rule | None
    reason: Reason | None
    candidates: int


class Entry(NamedTuple):
    """One way into the repository: the node runs though nothing here may call it.

    `framework` calls it: the name of a package, of a manifest, or of the language itself. `label`
    is by what name it is asked for: the pattern of a route, the name of a command, what a receiver
    listens to; empty where there is none or it is not constant. `method` holds the HTTP methods of
    a route, with commas, empty for any. `path` and `line` are where the text says so.
    """

    node: int
    role: EntryRole
    method: str
    label: str
    framework: str
    path: str
    line: int


class NodeProse(NamedTuple):
    """What the text of a node says in comments, and in strings worth finding."""

    node: int
    comments: str
    strings: str


class NodeWords(NamedTuple):
    """The words of a file or page, and the nodes of its definitions or sections, by number."""

    nodes: Sequence[int]
    words: FileWords


class Posted(NamedTuple):
    """A word and its postings: keys of nodes in order, and of each the weight and the fields."""

    word: str
    nodes: list[int]
    weights: list[int]
    fields: list[int]


class Measured(NamedTuple):
    """The measured precision of one rule in one language: `right` of `judged` edges were right."""

    language: str
    rule: Rule
    right: int
    judged: int


class Limits(NamedTuple):
    """How often linking stopped at a bound: what it found there may be less than there is.

    `values` counts variables that may hold too many kinds of value to follow, `arguments` such
    parameters by what calls pass, `overrides` (class, method) pairs with more overrides below than
    calls are linked to, `depth` questions that lead through too many others, `rounds` parameters
    whose values were still growing when the last round ended.
    """

    values: int = 0
    arguments: int = 0
    overrides: int = 0
    depth: int = 0
    rounds: int = 0


NO_LIMITS = Limits()


@dataclass(slots=True)
class FileRows:
    """The rows of one file: its nodes, edges that begin at them, and the sites in its text.

    Nodes are in the order of their keys, sites in that of the nodes that they start in.
    """

    file: File
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Graph:
    """A whole repository: nodes by key, edges, the ledger, entries, every file that was seen.

    `prose` and `words` are for search, and no part of the digest, as they say nothing that facts do
    not. A node with prose has no words.
    `failures` says by file what error of MU's kept it from being linked in full; it is among the
    problems of the file, too.
    """

    files: Sequence[File]
    nodes: Sequence[Node]
    edges: Sequence[Edge]
    sites: Sequence[Site]
    entries: Sequence[Entry] = ()
    limits: Limits = NO_LIMITS
    prose: Sequence[NodeProse] = ()
    failures: Mapping[int, str] = field(default_factory=dict)
    words: Sequence[NodeWords] = ()
