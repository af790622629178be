"""TypeScript and JavaScript modules: which file a specifier refers to in an importing file.

A relative specifier is a path, with or without extension, or a folder with an index. Any other is
looked up in the `imports` of the nearest `package.json`, the `paths` and `baseUrl` of the nearest
`tsconfig.json`, and the packages of this repository by name, in this order; otherwise it is an
external package. The files of a package are those in its `exports`, `main` and similar fields. Most
of them are built, so if such a file does not exist, the source that it is built from is used.

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

_TYPESCRIPT = (".ts", ".tsx", ".mts", ".cts")
_JAVASCRIPT = (".js", ".jsx", ".mjs", ".cjs")
COMPONENTS = (".vue", ".svelte")
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_EXTENSIONS = (*_TYPESCRIPT, *_JAVASCRIPT, *_DECLARATIONS)
_SOURCES_OF = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
_BUILD_FOLDER = re.compile(
    r"^(?:dist|lib|build|out|output|es|esm|cjs|umd|types|typings|bundles)(?=/|$)"
)
_ENTRY_FIELDS = ("source", "types", "typings", "module", "main", "browser")
_PACKAGE_FIELDS = ("name", "imports", "exports", *_ENTRY_FIELDS)
_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\\n])*")|,(?=\s*[\]}])')
_MAX_EXTENDS = 10


class TypeScriptModules(ModuleFinder):
    """Resolves specifiers to the files of one repository."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.paths)
        self._files = {path: key for key, path in layout.paths.items()}
        self._texts = layout.manifests
        self._roots = tuple(root.strip("/") for root in layout.roots)
        self._found: dict[tuple[str, bool, str], Target] = {}
        self._read: dict[str, Mapping[str, object]] = {}
        self._path_mappings: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {}

    def name_of(self, file: int) -> str:
        return _stem(self._paths[file]).replace("/", ".")

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - has no levels
        if not dotted:
            return Target(file=importer)
        path = self._paths[importer]
        folder, is_javascript = posixpath.dirname(path), path.endswith(_JAVASCRIPT)
        place = (folder, is_javascript, dotted)
        found = self._found.get(place)
        if found is None:
            found = self._found[place] = self._find(folder, dotted, is_javascript=is_javascript)
        return found

    def _find(self, folder: str, specifier: str, *, is_javascript: bool) -> Target:
        specifier = specifier.partition("?")[0]
        if specifier in (".", "..") or specifier.startswith(("./", "../", "/")):
            path = posixpath.normpath(posixpath.join(folder, specifier.lstrip("/")))
            file = self._at(path, is_javascript=is_javascript)
            if file >= 0:
                return Target(file=file)
            extension = posixpath.splitext(path)[1]
            is_source = extension in (*_EXTENSIONS, *COMPONENTS, "") or path.startswith("..")
            return Target(missing=specifier) if is_source else Target(external=path)
        for path in self._candidates(folder, specifier):
            file = self._at(path, is_javascript=is_javascript)
            if file >= 0:
                return Target(file=file)
        return Target(external=specifier.removeprefix("node:"))

    def _candidates(self, folder: str, specifier: str) -> Iterator[str]:
        """Yield the paths that a non-relative specifier may refer to, by precedence."""
        if specifier.startswith("#"):
            home = self._nearest_folder(folder, PACKAGE)
            table = self._json(_join(home, PACKAGE)).get("imports") if home is not None else None
            yield from self._with_sources(home or "", _targets(table, specifier))
            return
        for pattern, places in self._path_mapping(folder):
            matched = _match(pattern, specifier)
            if matched is not None:
                for place in places:
                    yield posixpath.normpath(place.replace("*", matched))
        for root in self._roots:
            yield _join(root, specifier)
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        name, inside = "/".join(parts[:count]), "/".join(parts[count:])
        homes = self._packages.get(name, ())
        if len(homes) == 1:
            yield from self._package_files(homes[0], inside)

    def _package_files(self, home: str, inside: str) -> Iterator[str]:
        """Yield the files that a package exports under a subpath; empty for the package itself."""
        package = self._json(_join(home, PACKAGE))
        exports = package.get("exports")
        if not (isinstance(exports, Mapping) and any(str(key)[:1] == "." for key in exports)):
            exports = {".": exports}  # conditions or a path for the package itself
        yield from self._with_sources(home, _targets(exports, f"./{inside}" if inside else "."))
        if inside:
            yield _join(home, inside)
            yield _join(home, f"src/{inside}")
            return
        yield from self._with_sources(
            home, [str(package[key]) for key in _ENTRY_FIELDS if key in package]
        )
        yield _join(home, "index")
        yield _join(home, "src/index")

    def _with_sources(self, home: str, targets: Iterable[str]) -> Iterator[str]:
        """Yield each target, and the sources from which a build may have made it."""
        for target in dict.fromkeys(targets):
            path = posixpath.normpath(target)
            yield _join(home, path)
            inside, count = path, 1
            while count:
                inside, count = _BUILD_FOLDER.subn("", inside)
                inside = inside.lstrip("/")
                if count:
                    yield _join(home, f"src/{_stem(inside)}")
                    yield _join(home, _stem(inside))

    def _at(self, path: str, *, is_javascript: bool) -> int:
        """Return the file that a path refers to; -1 if there is none."""
        exact = self._files.get(path, -1)
        stem, extension = posixpath.splitext(path)
        sources = [self._files.get(stem + end, -1) for end in _SOURCES_OF.get(extension, ())]
        for file in (exact, *sources) if is_javascript else (*sources, exact):
            if file >= 0:
                return file
        for place in (path, _join(path, "index")):
            for end in _EXTENSIONS:
                file = self._files.get(place + end, -1)
                if file >= 0:
                    return file
        inner = _join(path, PACKAGE)
        if inner in self._texts:
            for entry in self._with_sources(path, self._entry_files(inner)):
                file = self._at(entry, is_javascript=is_javascript) if entry != path else -1
                if file >= 0:
                    return file
        return -1

    def _entry_files(self, place: str) -> list[str]:
        """Return the entry files that a `package.json` names."""
        package = self._json(place)
        return [str(package[key]) for key in _ENTRY_FIELDS if key in package]

    @cached_property
    def _packages(self) -> dict[str, list[str]]:
        """The folders of the packages in this repository, by name."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._texts):
            folder, name = posixpath.split(path)
            if name == PACKAGE:
                found.setdefault(str(self._json(path).get("name", "")), []).append(folder)
        return found

    def _path_mapping(self, folder: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the path mapping of the nearest configuration: (pattern, paths), by precedence."""
        known = self._path_mappings.get(folder)
        if known is None:
            home = self._nearest_folder(folder, *CONFIGURATIONS)
            places = [] if home is None else [_join(home, name) for name in CONFIGURATIONS]
            found = (self._mapping_in(place, 0) for place in places if place in self._texts)
            known = self._path_mappings[folder] = next(filter(None, found), ())
        return known

    def _mapping_in(self, place: str, depth: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the path mapping of a configuration, or of those that it extends."""
        data = self._json(place)
        options = data.get("compilerOptions")
        options = options if isinstance(options, Mapping) else {}
        home, paths = posixpath.dirname(place), options.get("paths")
        base = options.get("baseUrl")
        root = _join(home, base) if isinstance(base, str) else home
        found = []
        if isinstance(paths, Mapping):
            for pattern, targets in paths.items():
                listed = targets if isinstance(targets, list) else ()
                found.append((str(pattern), tuple(_join(root, str(one)) for one in listed)))
            found.sort(key=lambda entry: -len(entry[0].partition("*")[0]))  # longest first
        if isinstance(base, str):
            found.append(("*", (_join(root, "*"),)))
        if found or depth > _MAX_EXTENDS:
            return tuple(found)
        above = data.get("extends")
        for name in above if isinstance(above, list) else [above]:
            if isinstance(name, str) and name.startswith("."):
                path = posixpath.normpath(posixpath.join(home, name))
                for inherited in (path, f"{path}.json"):
                    if inherited in self._texts:
                        found += self._mapping_in(inherited, depth + 1)
        return tuple(found)

    def _nearest_folder(self, folder: str, *names: str) -> str | None:
        """Return the nearest folder, from this one upwards, with one of the files, or None."""
        while True:
            if any(_join(folder, name) in self._texts for name in names):
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
    """Return what `TypeScriptModules` reads of a manifest, in order, as plain values."""
    table = read_json(text)
    if posixpath.basename(path) == PACKAGE:
        return [(name, json.dumps(table[name])) for name in _PACKAGE_FIELDS if name in table]
    options = table.get("compilerOptions")
    options = options if isinstance(options, Mapping) else {}
    mapped = [options.get(name) for name in ("baseUrl", "paths")]
    return [json.dumps([table.get("extends"), *mapped])]


def read_json(text: str) -> Mapping[str, object]:
    """Return a JSON object, which may have comments and trailing commas; empty if malformed."""
    plain = _TRAILING_COMMA.sub(r"\1", _COMMENT.sub(r"\1", text.removeprefix("\ufeff")))
    try:
        data = json.loads(plain)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _targets(table: object, key: str) -> Iterator[str]:
    """Yield the paths of a key in `exports` or `imports`, under any condition."""
    if not isinstance(table, Mapping):
        return
    if key in table:
        yield from _conditional_paths(table[key], "")
        return
    for pattern, value in sorted(table.items(), key=lambda item: -len(str(item[0]))):
        matched = _match(str(pattern), key) if "*" in str(pattern) else None
        if matched is not None:
            yield from _conditional_paths(value, matched)
            return


def _conditional_paths(value: object, matched: str) -> Iterator[str]:
    """Yield the paths of all conditions, the source first; `matched` replaces `*`."""
    if isinstance(value, str):
        yield value.replace("*", matched)
    elif isinstance(value, Mapping):
        for condition in sorted(value, key=lambda name: (name != "source", name == "types")):
            yield from _conditional_paths(value[condition], matched)
    elif isinstance(value, list):
        for one in value:
            yield from _conditional_paths(one, matched)


def _match(pattern: str, text: str) -> str | None:
    """Return the text that `*` matches in a pattern; None if the pattern does not match."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    is_match = text.startswith(before) and text.endswith(after) and len(text) >= len(before + after)
    return text[len(before) : len(text) - len(after)] if is_match else None


def _join(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined == "." else joined


def _stem(path: str) -> str:
    """Return a path without its extension, if it is that of a source file."""
    for extension in (*_DECLARATIONS, *_TYPESCRIPT, *_JAVASCRIPT, *COMPONENTS):
        if path.endswith(extension):
            return path[: -len(extension)]
    return path
