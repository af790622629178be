"""What a language is, read from `grammars/<language>/language.toml`.

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
    """A `language.toml` that says something MU does not know."""


class AnnotationStyle(msgspec.Struct, frozen=True):
    """How type annotations are written.

    `quoted`: a string inside an annotation is an annotation itself. `opaque`: names of the generic
    forms whose arguments are no types. `first_only`: of those where only the first one is. `calls`:
    functions some of whose arguments are types, by place from 0 or by name, be it in a string.
    """

    quoted: bool = False
    opaque: tuple[str, ...] = ()
    first_only: tuple[str, ...] = ()
    calls: Mapping[str, tuple[int | str, ...]] = {}  # msgspec copies it


class TestConventions(msgspec.Struct, frozen=True):
    """What marks tests, as shell-style patterns of file and folder names, and how they are run.

    `functions` are patterns of the names of functions that a runner calls for their names alone,
    where nothing else marks a test. `methods` are patterns of the methods that it calls in each
    class that inherits them, which is named as in `classes` or has a base outside. `is_importing`
    says that it calls tests also where a file of tests imports them. `id` is how a runner calls a
    test, with `{path}`, `{names}` (joined by `::`), `{name}` and `{parent}` in it; `command` runs
    those in `{ids}`, which `join` stands between, all at once or `by_folder`, which is `{folder}`
    then.
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
    """How comments are written: what a line of comment begins with, and the ends of the others."""

    line: tuple[str, ...] = ("//",)
    block: tuple[tuple[str, str], ...] = (("/*", "*/"),)


class Macros(msgspec.Struct, frozen=True):
    """How macros are called, where what they are handed is words to the grammar; kinds of nodes.

    A `call` is a name, a `mark` and `words` in brackets. It is none of an expression directly in
    one of `items`, with `statements` between; `around` is the text in which one is parsed alone. An
    argument may begin with a `sigil`. Macros `only_words` take nothing that runs, those in `first`
    one argument that does, and maybe a condition behind `guard`. A `definition` holds what it takes
    as `macro_rules!` does.

    What is left as words is a tree with others `inner` to it, and maybe of the kind `string`. There
    `root` is what the macro is defined in, what follows one of `binders` is a new name, and of
    `escapes` one of the macro's own; `keywords` are no names. Attributes in `lists` list names, of
    which those that are `known` mean nothing of the repository.
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

    `extensions` start with a dot; `grammar` names the module of its wheel and, behind a colon, the
    function in it; `extends` the language whose queries and rules it takes; `member_separator`
    stands between a name and its member; `first_parameter_is_receiver` of methods, which for
    `implicit_class_methods` is the class, though no decorator says so; with
    `has_keyword_arguments` calls may name the parameters they fill; with
    `class_scopes_enclose`, functions in a class see its members by their bare names, and with
    `class_bodies_see_members` what stands in the class directly; with `locals_begin_behind` what a
    function binds means what is around it up to the end of the statement; `own_names` mean what a
    method is called on, and that seen as its parent;
    without `decorators_run` decorators only note something; methods named `constructor` run when
    their class is called; with `bodies_give_values` a function gives what its body comes to; a
    target or parameter called `blank` binds nothing;
    with `has_constant_patterns`, nor do names with a capital in what is taken apart;
    of a page of markup what is in elements named `inside` is code, and what the group `code` of the
    regular expressions `markup` finds elsewhere is an expression, a sign before it and one behind;
    `type_checks` are functions, or operators, that tell of what type a name is; classes of
    `passive_modules` call no methods that subclasses define, special ones aside; without
    `has_versions`, a name that is bound again holds all it is bound to wherever it is read;
    what `placed_names` mean depends on where they are read, though no scope binds them; a string
    without `interpolation` in it holds no code; `comments` is for search; what `macros` are handed
    is read as arguments where it can be; lines that begin with one of `directives`, but for space
    before it, are kept as they are; `not_in_grammar` are regular expressions of text that is right
    and that the grammar takes for a mistake, though the rest can be read without it.
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
    annotations: AnnotationStyle = AnnotationStyle()
    tests: TestConventions = TestConventions()
    comments: CommentMarks = CommentMarks()
    macros: Macros = Macros()

    @property
    def runs_class_bodies(self) -> bool:
        """True if the body of a class runs line by line, and sees what is around it till then."""
        return self.class_bodies_see_members and not self.class_scopes_enclose

    @property
    def binds_behind_values(self) -> bool:
        """True if a value is read before what it is bound to is known."""
        return self.runs_class_bodies or self.locals_begin_behind

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read one file; a `ManifestError` names the file and what is wrong in it."""
        place = f"{path.parent.name}/{path.name}"
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            _refuse_unknown(place, data, Manifest)
            return msgspec.convert(data, cls)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise ManifestError(f"{place}: {error}") from error


_SECTIONS: dict[str, type[msgspec.Struct]] = {
    "annotations": AnnotationStyle,
    "tests": TestConventions,
    "comments": CommentMarks,
    "macros": Macros,
}


def _refuse_unknown(place: str, data: Mapping[str, object], shape: type[msgspec.Struct]) -> None:
    known = sorted(shape.__struct_fields__)
    for key, value in data.items():
        if key not in known:
            hint = f"known keys: {', '.join(known)}"
            raise ManifestError(f"{place}: unknown key `{key}`", hint)
        if key in _SECTIONS and isinstance(value, Mapping):
            _refuse_unknown(place, value, _SECTIONS[key])


def load_manifests() -> dict[str, Manifest]:
    """All languages that ship with MU, by name, in order of name; read once a process."""
    return dict(_read_manifests(bundle.grammars()))


@cache
def _read_manifests(folder: Path) -> dict[str, Manifest]:
    """Read the manifests in a folder, which takes 6 ms; a build asks for them four times."""
    manifests = {
        one.name: one for one in map(Manifest.read, sorted(folder.glob("*/language.toml")))
    }
    for manifest in manifests.values():
        lineage(manifest.name, manifests)
    return manifests


def lineage(name: str, manifests: Mapping[str, Manifest]) -> tuple[str, ...]:
    """A language and those it extends, the nearest first; one without a manifest extends none."""
    found = [name]
    while above := manifests[found[-1]].extends if found[-1] in manifests else "":
        if above not in manifests or above in found:
            raise ManifestError(
                f"{found[-1]}/language.toml: `extends` names {above}, which is no other language",
                f"known languages: {', '.join(manifests)}",
            )
        found.append(above)
    return tuple(found)
