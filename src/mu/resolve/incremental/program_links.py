"""What linking gives of some files of a program, and of two versions of it."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from mu.model.graph import Edge, Entry, Site
from mu.resolve.emit.nodes import NodesOfFile, NodeTable
from mu.resolve.whole_program import WholeProgramState


class FileLinks(NamedTuple):
    """What linking gives of one file, in its order; the keys are those of `ProgramLinks.nodes`."""

    edges: Sequence[Edge]
    sites: Sequence[Site]
    entries: Sequence[Entry]
    said: NodesOfFile


class ProgramLinks(NamedTuple):
    """What linking gives of some files of a program, by key, and the nodes of all of it."""

    nodes: NodeTable
    files: Mapping[int, FileLinks]


class Relinked(NamedTuple):
    """The links of some files, in the old program and in the new one, and its new state.

    `unmet` are nodes outside the repository, by id, that only these files could lead to and do not
    any more. `crowded` is the number of parameters that too many things are passed for.
    """

    before: ProgramLinks
    after: ProgramLinks
    state: WholeProgramState
    unmet: Set[str]
    crowded: int
