"""Edits of programs that a grammar wrote, as somebody makes them who types, moves and removes."""

from collections.abc import Mapping
from random import Random

from properties.programs.writing import Grammar, write_program


def edit_program(files: Mapping[str, str], random: Random, *, grammar: Grammar) -> dict[str, str]:
    """Return the files after one edit: a line is gone, added or another one, or a whole file is.

    A line that comes is one of the program's own, with the indentation of the line in its place.
    """
    own = [path for path in files if path not in grammar.fixed]
    path, kind = random.choice(own), random.randrange(12)
    if kind == 0 and len(own) > 1:
        return {other: text for other, text in files.items() if other != path}
    if kind == 1:
        written = write_program(grammar, random)
        path = random.choice([one for one in written if one not in grammar.fixed])
        return {**files, path: written[path]}
    lines = files[path].split("\n")
    place = random.randrange(len(lines))
    if kind < 6:
        del lines[place]
    else:
        line = random.choice(files[random.choice(own)].split("\n")).strip()
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        lines[place : place + kind % 2] = [indent + line]
    return {**files, path: "\n".join(lines)}
