"""Random edits of source trees, by kind.

An edit changes one file: places and prose, what is in bodies, or what other files can see; or it
adds, moves or removes a file, of code or a page; or it changes a name, of a definition or a file,
wherever the tree has it; or it makes several of these at once, as a switch to another branch does.
"""

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

_MARKS = {
    ".py": "#",
    ".ts": "//",
    ".tsx": "//",
    ".js": "//",
    ".go": "//",
    ".java": "//",
    ".rs": "//",
}
_PAGES = (".md", ".rst")
_WORD = re.compile(r"[A-Za-z_]\w+")
_CLASS = re.compile(
    r"(\s*(?:export |public |abstract |final |static )*class \w+)(\(\w*\)| extends \w+|)(.*)"
)
_STRUCT = re.compile(r"type \w+ (?:struct|interface) \{")
_TRAIT = re.compile(r"impl(?:<\w+>)? (?:(\w+) for )?\w+ \{|(?:pub )?trait \w+ \{")
_TYPE = re.compile(r"\b[A-Z][a-z]\w+")
_DEFINITION = re.compile(r"\b(?:class|def|function|func|fn|struct|interface|trait|type|void) (\w+)")
_IMPLICIT = re.compile(r"(\bdef )__(?!init)\w+__|()\b(?:toString|iterator|close)(?=\(\) \{)")
_METHODS = {
    "#": (
        *("__str__", "__repr__", "__eq__", "__len__", "__iter__", "__next__", "__enter__"),
        *("__exit__", "__getitem__", "__contains__", "__add__", "__bool__", "__hash__", "__int__"),
    ),
    "//": ("toString", "iterator", "close", "[Symbol.iterator]", "next"),
}
_SHADOWS = {".py": "{} = None", ".go": "{} := 0", ".rs": "let {} = 0;", ".java": "int {} = 0;"}
_GIVEN_OUT = {
    ".py": "from .{} import {}",
    ".ts": 'export {{ {1} }} from "./{0}";',
    ".tsx": 'export {{ {1} }} from "./{0}";',
    ".js": 'export {{ {1} }} from "./{0}.js";',
    ".rs": "pub use super::{}::{};",
    ".java": "import static {}.{};",
    ".go": "var Again = {1}",
}
_PACKAGES = {".py": "__init__", ".ts": "index", ".tsx": "index", ".js": "index", ".rs": "mod"}
_AT_ONCE = 4
"""Edits that a switch to another branch makes."""
_CALL = re.compile(r"\w+\(.*\)")
_STATEMENT = re.compile(r"\s{2,}[\w.]+\([^()]*\);?")
_TAKEN = re.compile(r"\bfrom\s+[\"']?(?P<module>[.\w/@-]+)[\"']?(?:\s+import\b|;?$)")

Lines = list[str]


def edit_tree(root: Path, kind: str, chance: random.Random) -> str:
    """Make an edit of a kind; give the file, or nothing where none could be made."""
    if kind == "switch":
        done = [edit_tree(root, chance.choice(ONE_FILE), chance) for _ in range(_AT_ONCE)]
        return ", ".join(filter(None, done))
    path = chance.choice(page_files(root) if kind in PAGE_KINDS else source_files(root))
    if kind in FILE_KINDS:
        done_there = FILE_KINDS[kind](root, path, chance)
        return path.relative_to(root).as_posix() if done_there else ""
    return path.relative_to(root).as_posix() if edit_file(path, KINDS[kind], chance) else ""


def page_files(root: Path) -> list[Path]:
    """Give the pages of a tree, in order; its files of code where it has none."""
    return _files(root, _PAGES) or source_files(root)


def source_files(root: Path) -> list[Path]:
    """Give the files of a tree that can be edited, in order."""
    return _files(root, tuple(_MARKS))


def _files(root: Path, ends: tuple[str, ...]) -> list[Path]:
    """The files that end so, but for hidden ones, which are in no graph."""
    return [
        path
        for path in sorted(root.rglob("*"))
        if path.suffix in ends
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(root).parts)
    ]


def edit_file(path: Path, kind: "Kind", chance: random.Random) -> bool:
    """Change a file; whether that could be done."""
    try:
        before = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    lines = before.split("\n")
    kind(lines, _MARKS.get(path.suffix, "#"), chance)
    path.write_text("\n".join(lines), encoding="utf-8")
    return "\n".join(lines) != before


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _comment(lines: Lines, mark: str, chance: random.Random) -> None:
    place = chance.randrange(len(lines))
    lines.insert(place, f"{_indent(lines[place])}{mark} wobbly {chance.random()}")


def _blank(lines: Lines, _mark: str, chance: random.Random) -> None:
    place = chance.randrange(len(lines))
    lines[place:place] = [""] * chance.randint(1, 4)


def _uncomment(lines: Lines, mark: str, chance: random.Random) -> None:
    found = [place for place, line in enumerate(lines) if line.strip().startswith(mark)]
    if found:
        del lines[chance.choice(found)]


def _call(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Write a line with a call once more, somewhere else."""
    found = [line.strip() for line in lines if _CALL.search(line)]
    place = chance.randrange(len(lines))
    if found:
        lines.insert(place, _indent(lines[place]) + chance.choice(found))


def _statement(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Write a line that is a call once more, behind another one: an edit of a body."""
    places = [place for place, line in enumerate(lines) if _STATEMENT.fullmatch(line)]
    if places:
        place = chance.choice(places)
        lines.insert(place + 1, _indent(lines[place]) + lines[chance.choice(places)].strip())


def _gone(lines: Lines, _mark: str, chance: random.Random) -> None:
    del lines[chance.randrange(len(lines))]


def _name(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Put another word of the file in the place of one."""
    words = [word for line in lines for word in _WORD.findall(line)]
    places = [place for place, line in enumerate(lines) if _WORD.search(line)]
    if places:
        place = chance.choice(places)
        word = chance.choice(_WORD.findall(lines[place]))
        lines[place] = lines[place].replace(word, chance.choice(words), 1)


def _base(lines: Lines, mark: str, chance: random.Random) -> None:
    """Have a type extend, embed or implement another one that the file names, or none."""
    types = sorted({name for line in lines for name in _TYPE.findall(line)})
    found = [
        (place, change)
        for place, line in enumerate(lines)
        for change in (_extends, _embeds, _implements)
        if change(line, "", mark) is not None
    ]
    if found and types:
        place, change = chance.choice(found)
        lines[place] = change(lines[place], chance.choice(["", *types]), mark) or ""


def _extends(line: str, name: str, mark: str) -> str | None:
    found = _CLASS.fullmatch(line)
    if found is None:
        return None
    base = f"({name})" if mark == "#" else f" extends {name}"
    return f"{found[1]}{base if name else ''}{found[3]}"


def _embeds(line: str, name: str, _mark: str) -> str | None:
    return f"{line}\n\t{name}" if _STRUCT.fullmatch(line) else None


def _implements(line: str, name: str, _mark: str) -> str | None:
    found = _TRAIT.fullmatch(line)
    if found is None:
        return None
    return re.sub(r"(?:\w+ for )?(\w+) \{", rf"{name} for \1 {{" if name else r"\1 {", line)


def _class(lines: Lines, mark: str, chance: random.Random) -> None:
    """Write a class once more by another name, mostly below the first, and make one of it."""
    start, end = _class_block(lines, mark, chance)
    found = _DEFINITION.search(lines[start]) if end else None
    if found is None:
        return
    name, indent = found[1], _indent(lines[start])
    first = lines[start].replace(name, f"{name}Other", 1)
    base = name if chance.random() < 0.7 else ""
    made = f"{name}Other()" if mark == "#" else f"new {name}Other();"
    is_made = chance.random() < 0.5 and not indent
    block = [_extends(first, base, mark) or first, *lines[start + 1 : end]]
    lines[end:end] = [*block, *([made] if is_made else [])]


def _implicit(lines: Lines, mark: str, chance: random.Random) -> None:
    """Give a class a method that operations call, or give such a method another name."""
    places = [place for place, line in enumerate(lines) if _IMPLICIT.search(line)]
    if places and chance.random() < 0.4:
        place = chance.choice(places)
        lines[place] = _IMPLICIT.sub(r"\1ordinary", lines[place])
        return
    start, end = _class_block(lines, mark, chance)
    if end:
        calls = [match[0] for line in lines for match in [_CALL.search(line)] if match]
        indent, given = _indent(lines[start]), chance.choice([*calls, "self"])
        name = chance.choice(_METHODS[mark])
        method = f"def {name}(self, *passed): return {given}"
        if mark != "#":
            method = f"{name}() {{ return this; }}"
        lines.insert(start + 1, f"{indent}    {method}")


def _class_gone(lines: Lines, mark: str, chance: random.Random) -> None:
    """Leave out a class."""
    start, end = _class_block(lines, mark, chance)
    del lines[start:end]


def _class_block(lines: Lines, mark: str, chance: random.Random) -> tuple[int, int]:
    """The first line of a class and the one behind it; the same twice where there is none."""
    places = [place for place, line in enumerate(lines) if _CLASS.fullmatch(line)]
    if not places:
        return 0, 0
    start = chance.choice(places)
    depth = len(_indent(lines[start]))
    for end in range(start + 1, len(lines)):
        line = lines[end]
        if line.strip() and len(_indent(line)) <= depth:
            return start, end if mark == "#" else end + 1
    return start, len(lines)


def _redirect(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Have an import take its names out of the module of another one."""
    found = [(place, match) for place, line in enumerate(lines) if (match := _TAKEN.search(line))]
    if len(found) > 1:
        (place, match), (_, other) = chance.sample(found, 2)
        start, end = match.span("module")
        lines[place] = lines[place][:start] + other["module"] + lines[place][end:]


def _rename(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Call what the file defines by another name, throughout."""
    names = [name for line in lines for name in _DEFINITION.findall(line)]
    if names:
        name = chance.choice(names)
        lines[:] = [re.sub(rf"\b{name}\b", f"{name}_other", line) for line in lines]


def _page(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Write a line of a page once more somewhere else, or leave it out."""
    line = lines.pop(chance.randrange(len(lines)))
    if chance.random() < 0.7:
        for _ in range(2):
            lines.insert(chance.randrange(len(lines) + 1), line)


Kind = Callable[[Lines, str, random.Random], None]

KINDS: dict[str, Kind] = {
    "comment": _comment,
    "blank": _blank,
    "uncomment": _uncomment,
    "call": _call,
    "statement": _statement,
    "gone": _gone,
    "name": _name,
    "base": _base,
    "class": _class,
    "class-gone": _class_gone,
    "implicit": _implicit,
    "redirect": _redirect,
    "rename": _rename,
    "page": _page,
}


def _add(_root: Path, path: Path, chance: random.Random) -> bool:
    shutil.copyfile(path, _beside(path, chance))
    return True


def _move(_root: Path, path: Path, chance: random.Random) -> bool:
    path.rename(_beside(path, chance))
    return True


def _relocate(root: Path, path: Path, chance: random.Random) -> bool:
    """Move a file to another folder."""
    new = chance.choice(source_files(root)).with_name(path.name)
    if new.exists():
        return False
    path.rename(new)
    return True


def _remove(_root: Path, path: Path, _chance: random.Random) -> bool:
    path.unlink()
    return True


def _rename_uses(root: Path, path: Path, chance: random.Random) -> bool:
    """Give a definition of the file another name, in all files."""
    names = _DEFINITION.findall(path.read_text(encoding="utf-8", errors="replace"))
    return bool(names) and _replace_word(root, chance.choice(names))


def _rename_file(root: Path, path: Path, _chance: random.Random) -> bool:
    """Give a file another name, and write that wherever a file has the old one."""
    if path.stem in _PACKAGES.values():
        return False
    _replace_word(root, path.stem)
    path.rename(path.with_stem(f"{path.stem}_other"))
    return True


def _replace_word(root: Path, name: str) -> bool:
    """Write another name in all files; whether any had it."""
    word, new = rf"\b{name}\b".encode(), f"{name}_other".encode()
    changed = False
    for path in source_files(root):
        before = path.read_bytes()
        after = re.sub(word, new, before)
        if after != before:
            path.write_bytes(after)
            changed = True
    return changed


def _beside(path: Path, chance: random.Random) -> Path:
    return path.with_name(f"{path.stem}_{chance.randrange(10**6)}{path.suffix}")


def _as_package(_root: Path, path: Path, _chance: random.Random) -> bool:
    """Make a package of a module."""
    stem = _PACKAGES.get(path.suffix, path.stem)
    folder = path.with_suffix("")
    if path.stem in _PACKAGES.values() or folder.exists():
        return False
    folder.mkdir()
    path.rename(folder / f"{stem}{path.suffix}")
    return True


def _shadow(_root: Path, path: Path, chance: random.Random) -> bool:
    """Bind a name that the file uses, at a random place."""
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    lines, words = text.split("\n"), _WORD.findall(text)
    if not words:
        return False
    place = chance.randrange(len(lines))
    line = _SHADOWS.get(path.suffix, "const {} = null;").format(chance.choice(words))
    lines.insert(place, _indent(lines[place]) + line)
    path.write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")
    return True


def _give_out(_root: Path, path: Path, chance: random.Random) -> bool:
    """Give out what a module beside the file defines."""
    other = chance.choice([one for one in path.parent.iterdir() if one.suffix == path.suffix])
    names = _DEFINITION.findall(other.read_text(encoding="utf-8", errors="replace"))
    if other == path or not names or path.suffix not in _GIVEN_OUT:
        return False
    text = path.read_bytes()
    line = _GIVEN_OUT[path.suffix].format(other.stem, chance.choice(names))
    path.write_bytes(text + f"\n{line}\n".encode())
    return True


FileKind = Callable[[Path, Path, random.Random], bool]
"""Edits a file of a tree, or moves it; tells whether that could be done."""

FILE_KINDS: dict[str, FileKind] = {
    "add": _add,
    "move": _move,
    "relocate": _relocate,
    "rename-uses": _rename_uses,
    "rename-file": _rename_file,
    "remove": _remove,
    "package": _as_package,
    "shadow": _shadow,
    "export": _give_out,
    "page-add": _add,
    "page-move": _move,
    "page-remove": _remove,
}
PAGE_KINDS = frozenset(("page", "page-add", "page-move", "page-remove"))
"""Those of pages."""

ONE_FILE = (*KINDS, *FILE_KINDS)
"""All but those that are several at once."""
