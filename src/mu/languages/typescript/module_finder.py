"""Modules of TypeScript and JavaScript: which file a specifier means, seen from another file.

A relative specifier is a path, with or without its extension, or a folder with an index. Any other
is looked for, in this order, among the `imports` of the nearest `package.json`, the `paths` and
`baseUrl` of the nearest `tsconfig.json`, and the packages of this repository by their names; else
it is a package elsewhere. What a package gives out is what its `exports`, `main` and their like
say; they mostly name files that a build makes, so the source that such a file is made of is meant
where the file itself is not there.

Sources: Node's documentation of modules and packages; "Modules - Reference" of the TypeScript
handbook.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from mu.resolve import Layout, ModuleFinder, Target

PACKAGE = "package.json"
CONFIGURATIONS = ("tsconfig.json", "jsconfig.json", "tsconfig.base.json", "tsconfig.app.json")

_TYPED = (".ts", ".tsx", ".mts", ".cts")
_PLAIN = (".js", ".jsx", ".mjs", ".cjs")
PAGES = (".vue", ".svelte")
_DECLARING = (".d.ts", ".d.mts", ".d.cts")
_ENDINGS = (*_TYPED, *_PLAIN, *_DECLARING)
_SOURCES_OF = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
_BUILT = re.compile(r"^(?:dist|lib|build|out|output|es|esm|cjs|umd|types|typings|bundles)(?=/|$)")
_ENTRIES = ("source", "types", "typings", "module", "main", "browser")
_PACKAGE_KEYS = ("name", "imports", "exports", *_ENTRIES)
_JSON_WORD = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:\\.|[^"\\\n])*")|,(?=\s*[\]}])')
_DEEPEST = 10


class TypeScriptModules(ModuleFinder):
    """Specifiers and files of one repository."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.paths)
        self._files = {path: key for key, path in layout.paths.items()}
        self._texts = layout.manifests
        self._roots = tuple(root.strip("/") for root in layout.roots)
        self._found: dict[tuple[str, bool, str], Target] = {}
        self._read: dict[str, Mapping[str, object]] = {}
        self._mapped: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {}

    def name_of(self, file: int) -> str:
        return _stem(self._paths[file]).replace("/", ".")

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - none here
        if not dotted:
            return Target(file=importer)
        path = self._paths[importer]
        folder, is_plain = posixpath.dirname(path), path.endswith(_PLAIN)
        place = (folder, is_plain, dotted)
        found = self._found.get(place)
        if found is None:
            found = self._found[place] = self._find(folder, dotted, is_plain=is_plain)
        return found

    def _find(self, folder: str, specifier: str, *, is_plain: bool) -> Target:
        specifier = specifier.partition("?")[0]
        if specifier in (".", "..") or specifier.startswith(("./", "../", "/")):
            path = posixpath.normpath(posixpath.join(folder, specifier.lstrip("/")))
            file = self._at(path, is_plain=is_plain)
            if file >= 0:
                return Target(file=file)
            is_source = posixpath.splitext(path)[1] in (*_ENDINGS, *PAGES, "") or path.startswith(
                ".."
            )
            return Target(missing=specifier) if is_source else Target(external=path)
        for path in self._candidates(folder, specifier):
            file = self._at(path, is_plain=is_plain)
            if file >= 0:
                return Target(file=file)
        return Target(external=specifier.removeprefix("node:"))

    def _candidates(self, folder: str, specifier: str) -> Iterator[str]:
        """The paths that a specifier which is no path may mean, the likeliest first."""
        if specifier.startswith("#"):
            home = self._home(folder, PACKAGE)
            table = self._json(_joined(home, PACKAGE)).get("imports") if home is not None else None
            yield from self._built(home or "", _targets(table, specifier))
            return
        for pattern, places in self._mapping(folder):
            taken = _matched(pattern, specifier)
            if taken is not None:
                for place in places:
                    yield posixpath.normpath(place.replace("*", taken))
        for root in self._roots:
            yield _joined(root, specifier)
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        name, inside = "/".join(parts[:count]), "/".join(parts[count:])
        homes = self._packages.get(name, ())
        if len(homes) == 1:
            yield from self._entries(homes[0], inside)

    def _entries(self, home: str, inside: str) -> Iterator[str]:
        """The files that a package gives out under a path inside it; none is the package itself."""
        package = self._json(_joined(home, PACKAGE))
        exports = package.get("exports")
        if not (isinstance(exports, Mapping) and any(str(key)[:1] == "." for key in exports)):
            exports = {".": exports}  # only conditions, or only the path
        yield from self._built(home, _targets(exports, f"./{inside}" if inside else "."))
        if inside:
            yield _joined(home, inside)
            yield _joined(home, f"src/{inside}")
            return
        yield from self._built(home, [str(package[key]) for key in _ENTRIES if key in package])
        yield _joined(home, "index")
        yield _joined(home, "src/index")

    def _built(self, home: str, targets: Iterable[str]) -> Iterator[str]:
        """Each target, and what a build may have made it of."""
        for target in dict.fromkeys(targets):
            path = posixpath.normpath(target)
            yield _joined(home, path)
            inside, count = path, 1
            while count:
                inside, count = _BUILT.subn("", inside)
                inside = inside.lstrip("/")
                if count:
                    yield _joined(home, f"src/{_stem(inside)}")
                    yield _joined(home, _stem(inside))

    def _at(self, path: str, *, is_plain: bool) -> int:
        """The file that a path means; -1 where there is none."""
        exact = self._files.get(path, -1)
        stem, ending = posixpath.splitext(path)
        made_of = [self._files.get(stem + end, -1) for end in _SOURCES_OF.get(ending, ())]
        for file in (exact, *made_of) if is_plain else (*made_of, exact):
            if file >= 0:
                return file
        for place in (path, _joined(path, "index")):
            for end in _ENDINGS:
                file = self._files.get(place + end, -1)
                if file >= 0:
                    return file
        inner = _joined(path, PACKAGE)
        if inner in self._texts:
            for entry in self._built(path, self._mains(inner)):
                file = self._at(entry, is_plain=is_plain) if entry != path else -1
                if file >= 0:
                    return file
        return -1

    def _mains(self, place: str) -> list[str]:
        package = self._json(place)
        return [str(package[key]) for key in _ENTRIES if key in package]

    @cached_property
    def _packages(self) -> dict[str, list[str]]:
        """The folders of the packages of this repository, by name."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._texts):
            folder, name = posixpath.split(path)
            if name == PACKAGE:
                found.setdefault(str(self._json(path).get("name", "")), []).append(folder)
        return found

    def _mapping(self, folder: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The patterns and the paths that the nearest configuration maps them to."""
        known = self._mapped.get(folder)
        if known is None:
            home = self._home(folder, *CONFIGURATIONS)
            places = [] if home is None else [_joined(home, name) for name in CONFIGURATIONS]
            found = (self._mapping_of(place, 0) for place in places if place in self._texts)
            known = self._mapped[folder] = next(filter(None, found), ())
        return known

    def _mapping_of(self, place: str, depth: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
        data = self._json(place)
        options = data.get("compilerOptions")
        options = options if isinstance(options, Mapping) else {}
        home, paths = posixpath.dirname(place), options.get("paths")
        base = options.get("baseUrl")
        root = _joined(home, base) if isinstance(base, str) else home
        found = []
        if isinstance(paths, Mapping):
            for pattern, targets in paths.items():
                listed = targets if isinstance(targets, list) else ()
                found.append((str(pattern), tuple(_joined(root, str(one)) for one in listed)))
            found.sort(key=lambda entry: -len(entry[0].partition("*")[0]))  # the longest counts
        if isinstance(base, str):
            found.append(("*", (_joined(root, "*"),)))
        if found or depth > _DEEPEST:
            return tuple(found)
        above = data.get("extends")
        for name in above if isinstance(above, list) else [above]:
            if isinstance(name, str) and name.startswith("."):
                path = posixpath.normpath(posixpath.join(home, name))
                for inherited in (path, f"{path}.json"):
                    if inherited in self._texts:
                        found += self._mapping_of(inherited, depth + 1)
        return tuple(found)

    def _home(self, folder: str, *names: str) -> str | None:
        """The nearest folder upwards that has one of the files."""
        while True:
            if any(_joined(folder, name) in self._texts for name in names):
                return folder
            if not folder:
                return None
            folder = posixpath.dirname(folder)

    def _json(self, path: str) -> Mapping[str, object]:
        known = self._read.get(path)
        if known is None:
            known = self._read[path] = read_json(self._texts.get(path, "{}"))
        return known


def module_settings(path: str, text: str) -> list[object]:
    """What `TypeScriptModules` reads of a manifest; the order of what is mapped counts."""
    table = read_json(text)
    if posixpath.basename(path) == PACKAGE:
        return [(name, json.dumps(table[name])) for name in _PACKAGE_KEYS if name in table]
    options = table.get("compilerOptions")
    options = options if isinstance(options, Mapping) else {}
    mapped = [options.get(name) for name in ("baseUrl", "paths")]
    return [json.dumps([table.get("extends"), *mapped])]


def read_json(text: str) -> Mapping[str, object]:
    """An object in JSON that may hold comments and commas too many; empty where it is none."""
    plain = _LAST_COMMA.sub(r"\1", _JSON_WORD.sub(r"\1", text.removeprefix("\ufeff")))
    try:
        data = json.loads(plain)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _targets(table: object, key: str) -> Iterator[str]:
    """The paths that a table of exports or imports gives for a key, under any condition."""
    if not isinstance(table, Mapping):
        return
    if key in table:
        yield from _leaves(table[key], "")
        return
    for pattern, value in sorted(table.items(), key=lambda item: -len(str(item[0]))):
        taken = _matched(str(pattern), key) if "*" in str(pattern) else None
        if taken is not None:
            yield from _leaves(value, taken)
            return


def _leaves(value: object, taken: str) -> Iterator[str]:
    if isinstance(value, str):
        yield value.replace("*", taken)
    elif isinstance(value, Mapping):
        for condition in sorted(value, key=lambda name: (name != "source", name == "types")):
            yield from _leaves(value[condition], taken)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one, taken)


def _matched(pattern: str, text: str) -> str | None:
    """What `*` stands for when a pattern fits a text; None when it does not fit."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    fits = text.startswith(before) and text.endswith(after) and len(text) >= len(before + after)
    return text[len(before) : len(text) - len(after)] if fits else None


def _joined(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined == "." else joined


def _stem(path: str) -> str:
    """A path without the ending of a source."""
    for ending in (*_DECLARING, *_TYPED, *_PLAIN, *PAGES):
        if path.endswith(ending):
            return path[: -len(ending)]
    return path
