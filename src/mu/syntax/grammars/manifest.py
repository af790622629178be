"""Language manifests, read from `grammars/<language>/language.toml`.

Reading a manifest loads no grammar, so listing languages stays cheap.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Self

import msgspec

from mu import bundle
from mu.errors import MuError


class ManifestError(MuError):
    """An invalid `language.toml`."""


class AnnotationStyle(msgspec.Struct, frozen=True):
    """How type annotations are written.

    `quoted`: strings in annotations are annotations themselves. `opaque`: generic forms whose
    arguments are not types. `first_only`: generic forms of which only the first argument is a type.
    `calls`: functions with arguments that are types, possibly in a string, by position from 0 or by
    keyword.
    """

    quoted: bool = False
    opaque: tuple[str, ...] = ()
    first_only: tuple[str, ...] = ()
    calls: Mapping[str, tuple[int | str, ...]] = {}  # msgspec copies it


class TestConventions(msgspec.Struct, frozen=True):
    """How tests are recognised, by shell-style patterns of file and folder names, and run.

    `functions` are patterns of functions that a runner calls by their names alone. `methods` are
    patterns of methods that it calls in each class that inherits them, if the class is named as in
    `classes` or has a base outside. `is_importing`: tests run also in test files that import them.
    `id` is how a runner names a test, a template with `{path}`, `{names}` (joined by `::`),
    `{name}` and `{parent}`. `command` runs the tests `{ids}`, joined by `join`; with `by_folder` it
    is run for each `{folder}`.
    """

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    is_importing: bool = False
    id: str = "{path}"
    command: str = ""
    join: str = " "
    by_folder: bool = False


class CommentMarks(msgspec.Struct, frozen=True):
    """How comments are written: beginnings of line comments, delimiters of block comments."""

    line: tuple[str, ...] = ("//",)
    block: tuple[tuple[str, str], ...] = (("/*", "*/"),)


class Macros(msgspec.Struct, frozen=True):
    """How macro calls are written, where the grammar leaves their arguments as tokens.

    A `call` has a name, a `mark` and a token tree of the kind `words`. It is not an expression
    directly in one of the kinds `items`, with `statements` between; `around` is the text in which a
    call is parsed by itself. An argument may begin with a `sigil`. Macros in `only_words` take no
    expressions; those in `first` take one, and maybe a condition after `guard`. A `definition` has
    its rules as in `macro_rules!`.

    In token trees, `inner` are the kinds of nested trees and `string` that of strings. `root`
    stands for the crate that defines the macro. A name after one of `binders` is new, one after one
    of `escapes` is the macro's own; `keywords` are not names. Attributes in `lists` contain lists
    of names, of which those in `known` do not refer to the repository.
    """

    call: str = ""
    mark: str = "!"
    words: str = ""
    definition: str = ""
    items: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    around: tuple[str, str] = ("", "")
    sigils: tuple[str, ...] = ()
    only_words: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    guard: str = ""
    inner: tuple[str, ...] = ()
    string: str = ""
    root: str = ""
    binders: tuple[str, ...] = ()
    escapes: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    known: tuple[str, ...] = ()


class Manifest(msgspec.Struct, frozen=True):
    """One language.

    `extensions` start with a dot. `grammar` is the module of the grammar and, after a colon, the
    function in it. `extends` is the language whose queries and rules it inherits.
    `member_separator` is between a name and its member. `first_parameter_is_receiver` is about
    methods; in `implicit_class_methods` the receiver is the class, without a decorator that says
    so. With `has_keyword_arguments`, calls may name parameters. With `class_scopes_enclose`,
    methods see the members of their class by bare names, with `class_bodies_see_members` the class
    body does. With `locals_begin_behind`, a local name refers to an outer scope up to the end of
    the statement that binds it. `own_names` are the receiver, and the receiver as its base class.
    Without `decorators_run`, decorators are only annotations. Methods named `constructor` run when
    their class is called. A constructor that calls none of `constructor_calls` calls the first one,
    without arguments. With `bodies_give_values`, the value of a body is the result of its
    function. A target or parameter named `blank` binds nothing; with `has_constant_patterns`,
    neither do capitalised names in patterns.

    In markup, elements named `inside` contain code, and the group `code` in a match of a regular
    expression in `markup` is an expression, with one delimiter or more before it and one after.
    `type_checks` are functions or operators that test the type of a name. Classes of
    `passive_modules` call no overridable methods, except special ones. Without `has_versions`, a
    name that is bound again has all its bindings everywhere. `placed_names` depend on the location
    where they are read, though no scope binds them. A string that does not contain `interpolation`
    has no code in it. `comments` is for search. The arguments of `macros` are parsed as expressions
    where possible. Lines beginning with one of `directives`, after indentation, are kept verbatim.
    `not_in_grammar` are regular expressions of valid text that the grammar takes for an error, but
    without which the rest can be parsed. Unless `reads_minified`, a minified file is a module
    without contents, since its source is elsewhere.
    """

    name: str
    extensions: tuple[str, ...]
    grammar: str
    level: str
    extends: str = ""
    shebangs: tuple[str, ...] = ()
    member_separator: str = "."
    path_separator: str = ""
    parent_module: str = ""
    first_parameter_is_receiver: bool = False
    implicit_class_methods: tuple[str, ...] = ()
    has_keyword_arguments: bool = False
    receiver_name: str = ""
    class_scopes_enclose: bool = False
    class_bodies_see_members: bool = True
    locals_begin_behind: bool = False
    decorators_run: bool = True
    bodies_give_values: bool = False
    own_names: tuple[str, ...] = ()
    constructor: str = ""
    constructor_calls: tuple[str, ...] = ()
    blank: str = ""
    has_constant_patterns: bool = False
    placed_names: tuple[str, ...] = ()
    type_checks: tuple[str, ...] = ()
    passive_modules: tuple[str, ...] = ()
    has_versions: bool = True
    interpolation: str = ""
    inside: str = ""
    markup: tuple[str, ...] = ()
    directives: tuple[str, ...] = ()
    not_in_grammar: tuple[str, ...] = ()
    reads_minified: bool = True
    annotations: AnnotationStyle = AnnotationStyle()
    tests: TestConventions = TestConventions()
    comments: CommentMarks = CommentMarks()
    macros: Macros = Macros()

    @property
    def runs_class_bodies(self) -> bool:
        """True if class bodies run line by line and see outer names until they bind them."""
        return self.class_bodies_see_members and not self.class_scopes_enclose

    @property
    def binds_behind_values(self) -> bool:
        """True if an assigned value is read before its target is bound."""
        return self.runs_class_bodies or self.locals_begin_behind

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a manifest; raises ManifestError with the file and the error."""
        location = f"{path.parent.name}/{path.name}"
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            _reject_unknown(location, data, Manifest)
            return msgspec.convert(data, cls)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise ManifestError(f"{location}: {error}") from error


_SECTIONS: dict[str, type[msgspec.Struct]] = {
    "annotations": AnnotationStyle,
    "tests": TestConventions,
    "comments": CommentMarks,
    "macros": Macros,
}


def _reject_unknown(location: str, data: Mapping[str, object], shape: type[msgspec.Struct]) -> None:
    known = sorted(shape.__struct_fields__)
    for key, value in data.items():
        if key not in known:
            hint = f"known keys: {', '.join(known)}"
            raise ManifestError(f"{location}: unknown key `{key}`", hint)
        if key in _SECTIONS and isinstance(value, Mapping):
            _reject_unknown(location, value, _SECTIONS[key])


def load_manifests() -> dict[str, Manifest]:
    """Return the manifests of all languages by name, sorted; they are read once per process."""
    return dict(_read_manifests(bundle.grammars()))


@cache
def _read_manifests(folder: Path) -> dict[str, Manifest]:
    """Read the manifests in a folder, which takes 6 ms; a build needs them four times."""
    manifests = {
        one.name: one for one in map(Manifest.read, sorted(folder.glob("*/language.toml")))
    }
    for manifest in manifests.values():
        lineage(manifest.name, manifests)
    return manifests


def lineage(name: str, manifests: Mapping[str, Manifest]) -> tuple[str, ...]:
    """Return a language and those it extends, nearest first.

    A language without a manifest extends none.
    """
    found = [name]
    while above := manifests[found[-1]].extends if found[-1] in manifests else "":
        if above not in manifests or above in found:
            raise ManifestError(
                f"{found[-1]}/language.toml: `extends` names {above}, not another language",
                f"known languages: {', '.join(manifests)}",
            )
        found.append(above)
    return tuple(found)
