"""The nodes of one file, and what they say, made from its facts alone.

They are those of the whole program but for what only other files tell: keys, parents of what stands
in extensions, names of modules and packages.
"""

from mu.model.facts import FileFacts
from mu.model.graph import File, Node, NodeProse
from mu.resolve.nodes import NodeTable
from mu.resolve.program.language_rules import LanguageRules
from mu.resolve.program.program import Program


def file_nodes(
    file: File, facts: FileFacts, *, rules: LanguageRules
) -> tuple[list[Node], list[NodeProse]]:
    """Give the nodes of a file in the order of the graph, with keys from 0, and their prose."""
    alone = file._replace(key=0)
    program = Program((alone,), {0: facts}, rules={file.language: rules}, roots=(), manifests={})
    table = NodeTable(program)
    return table.rows, list(table.prose(program.units[0]))
