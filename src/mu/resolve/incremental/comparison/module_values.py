"""Modules used as values: held by a variable, a table or an argument.

Code that reads an attribute of such a value names neither the module nor a file that imports it.
"""

from collections.abc import Iterator, Mapping, Set
from functools import cache

from mu.model.facts import FileFacts, Op
from mu.resolve.abstract_values import MODULE
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.program.mentioned_names import parts_of
from mu.resolve.program.program import Program

_NAMING = frozenset(map(int, (Op.NAME, Op.ATTRIBUTE)))
_ASKING = frozenset(map(int, (Op.CALL, Op.INDEX)))
_ATTRIBUTE, _NAME, _STRING = int(Op.ATTRIBUTE), int(Op.NAME), int(Op.STRING)


def binding_files(program: Program, key: int, *, names: Set[str]) -> set[int]:
    """Find the files with an import that may bind module `key`, or a package that contains it.

    `names` are the dotted names of the module.
    """
    parts = {part for name in names for part in parts_of(name)}
    ends = cache(lambda module: parts_of(module)[-1] in parts)
    found = set()
    for one in program.files:
        find = program.finder_of(one).find
        for module, level, name in program.outline(one).imports:
            if (
                name in parts
                if name
                else ends(module) or find(one, module, level=level).file == key
            ):
                found.add(one)
                break
    return found


def is_value(
    one: ProgramVersion, key: int, *, names: Set[str], facts: Mapping[int, FileFacts]
) -> bool:
    """Return whether any file in `facts` uses module `key` other than to read its attributes.

    `names` are the dotted names of the module.
    """
    values = one.linker.evaluator.values
    return any(
        value[:2] == (MODULE, key)
        for file, said in facts.items()
        for row in _rows_of(said, names)
        for value in values(one.program.units[file], row)
    )


def _rows_of(facts: FileFacts, names: Set[str]) -> Iterator[int]:
    """Yield the expressions that may evaluate to a module, except receivers of attribute reads.

    They are names that imports bind, attributes of these, and calls and subscripts with the
    module's name as a string.
    """
    rows, texts = facts.expressions, {row.module for row in facts.imports if not row.name}
    last = {name.rpartition(".")[2] for name in names}
    bound = {(row.local or parts_of(row.module)[0], row.scope) for row in facts.imports}
    meant = last | {row.local for row in facts.imports if not row.name}
    read = {base for op, _, base, _ in rows if op == _ATTRIBUTE}
    for number, (op, text, base, args) in enumerate(rows):
        if number in read:
            continue
        if op in _NAMING and text in meant:
            while op == _ATTRIBUTE:
                op, text, base, _ = rows[base]
            if op == _NAME and (text, base) in bound:
                yield number
        elif op in _ASKING:
            strings = [rows[arg][1] for arg in args if rows[arg][0] == _STRING]
            if any(text in names or text in texts or _is_relative(text, last) for text in strings):
                yield number


def _is_relative(text: str, last: Set[str]) -> bool:
    """Return whether a string is a relative path to a module, by its last part."""
    return text.startswith(".") and text.strip("./") in last
