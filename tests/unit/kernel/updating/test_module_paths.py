"""Edits of names that others reach as parts of a module path: the graph is the one from scratch."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_edit_and_back, check_is_as_built, edit, write_files

CRATE = {"Cargo.toml": '[package]\nname = "ex"\nversion = "0.1.0"\nedition = "2021"\n'}
ROUND = {
    "src/a.rs": "pub fn f() -> S { S }\npub struct S;\nimpl S { pub fn go(&self) {} }\n",
    "src/b.rs": "pub fn f() -> T { T }\npub struct T;\nimpl T { pub fn go(&self) {} }\n",
}
LIBRARY = {"src/lib.rs": "mod a;\nmod b;\nmod out;\nmod u;\nmod v;\n"}
ALIAS = {**CRATE, **ROUND, **LIBRARY, "src/out.rs": "pub use crate::a as fmt;\n"}
KINDS = {
    **CRATE,
    **LIBRARY,
    "src/a.rs": "pub enum Kind { A, B }\nuse Kind::*;\npub fn a() -> Kind { A }\n",
    "src/b.rs": """
        use crate::a::Kind;
        use Kind::B as Last;
        pub use Kind::*;
        fn b() -> Kind { Last }
    """,
    "src/u.rs": "use crate::b::{A, Kind};\nfn u() -> Kind { A }\n",
}
OUTSIDE = {**CRATE, **LIBRARY, "src/out.rs": "pub use ext::fmt;\nmod deep;\n"}

EDITS = {
    "alias of another module": (
        {**ALIAS, "src/u.rs": "use crate::out::fmt::f;\nfn u() { f().go(); }\n"},
        ("src/out.rs", "crate::a as", "crate::b as"),
    ),
    "alias that is exported again": (
        {
            **ALIAS,
            "src/v.rs": "pub use crate::out::fmt;\n",
            "src/u.rs": "use crate::v::fmt::f;\nfn u() { f().go(); }\n",
        },
        ("src/out.rs", "pub use crate::a as fmt;\n", ""),
    ),
    "alias under a name of another module": (
        {
            **ALIAS,
            "src/v.rs": "pub use crate::out::fmt as shapes;\n",
            "src/u.rs": "use crate::v::shapes::f;\nfn u() { f().go(); }\n",
        },
        ("src/out.rs", "crate::a as", "crate::b as"),
    ),
    "alias below an inline module": (
        {
            **ALIAS,
            "src/out.rs": "pub mod inner { pub use crate::a as fmt; }\n",
            "src/u.rs": "use crate::out::inner::fmt::f;\nfn u() { f().go(); }\n",
        },
        ("src/out.rs", "crate::a as fmt", "crate::b as fmt"),
    ),
    "alias of which all is imported": (
        {**ALIAS, "src/u.rs": "fn u() { use crate::out::fmt::*; f().go(); }\n"},
        ("src/out.rs", "crate::a as", "crate::b as"),
    ),
    "module outside": (
        {**OUTSIDE, "src/u.rs": "use crate::out::fmt::round::f;\nfn u() { f().go(); }\n"},
        ("src/out.rs", "ext::fmt", "other::fmt"),
    ),
    "enumeration that paths begin with": (KINDS, ("src/a.rs", "enum Kind", "enum Sort")),
    "variant of an enumeration that paths begin with": (KINDS, ("src/a.rs", "{ A,", "{ C,")),
    "import that paths begin with": (KINDS, ("src/b.rs", "use crate::a::Kind;\n", "")),
    "declaration of a module without a file": (
        {
            **OUTSIDE,
            "src/out.rs": "pub mod fmt;\n",
            "src/u.rs": "use crate::out::fmt::f;\nfn u() { f().go(); }\n",
        },
        ("src/out.rs", "pub mod fmt;\n", ""),
    ),
    "module outside, in a path from further down": (
        {
            **OUTSIDE,
            "src/out/deep.rs": "mod deeper;\n",
            "src/out/deep/deeper.rs": "fn u() { super::super::fmt::f().go(); }\n",
        },
        ("src/out.rs", "pub use ext::fmt;\n", ""),
    ),
    "module outside, in a path from another crate": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["ex", "user"]\n',
            "ex/Cargo.toml": CRATE["Cargo.toml"],
            "ex/src/lib.rs": "pub use ext::fmt;\n",
            "user/Cargo.toml": (
                '[package]\nname = "user"\nversion = "0.1.0"\n'
                '[dependencies]\nex = { path = "../ex" }\n'
            ),
            "user/src/lib.rs": "use ex::fmt::f;\nfn u() { f().go(); }\n",
        },
        ("ex/src/lib.rs", "pub use ext::fmt;\n", ""),
    ),
}


@pytest.mark.usefixtures("_unbounded")
@pytest.mark.parametrize("name", EDITS)
def test_paths_through_a_changed_name_are_resolved_again(
    root: Path, settings: BuildSettings, name: str
) -> None:
    files, (path, old, new) = EDITS[name]
    write_files(root, files)

    check_edit_and_back(root, settings, path, old=old, new=new)


@pytest.mark.usefixtures("_unbounded")
def test_names_that_are_exported_from_inside_a_changed_one_need_a_build(
    root: Path, settings: BuildSettings
) -> None:
    write_files(root, ALIAS | {"src/v.rs": "pub use crate::out::fmt::*;\n"})
    build(root, settings)

    edit(root, "src/out.rs", "crate::a as", "crate::b as")
    report = build(root, settings)

    assert report.updated is None
    check_is_as_built(root, settings, report)


@pytest.mark.usefixtures("_unbounded")
@pytest.mark.parametrize("alias", ["f as found", "f"])
def test_what_is_exported_from_inside_a_module_without_its_file(
    root: Path, settings: BuildSettings, alias: str
) -> None:
    parent = "pub(crate) mod inner;\n\nfn own() {}\n"
    name = alias.rpartition(" ")[2]
    write_files(
        root,
        {
            **CRATE,
            "src/lib.rs": "mod out;\nmod u;\n",
            "src/out/mod.rs": f"pub(crate) use crate::out::doc::inner::{alias};\n\nmod doc;\n",
            "src/out/doc/mod.rs": parent,
            "src/out/doc/inner.rs": ROUND["src/a.rs"],
            "src/u.rs": f"use crate::out;\nfn u() {{ out::{name}().go(); }}\n",
        },
    )
    build(root, settings)
    for text in (None, parent):
        edit(root, "src/out/doc/mod.rs", None, text)
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)
