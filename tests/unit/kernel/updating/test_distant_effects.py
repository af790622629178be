"""Edits that other files see where nothing in them names what changed, or not by its own name: the
graph is the one from scratch.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit, write_files

KINDS = "class A:\n    def go(self): ...\n\n\nclass B:\n    def go(self): ...\n\n\n"
KINDS_TS = "export class A { go() {} }\nexport class B { go() {} }\n"
TYPES_GO = {
    "go.mod": "module ex.com/m\n\ngo 1.22\n",
    "x.go": "package m\n\ntype X struct{}\n\nfunc (x X) Go() {}\n",
    "in/y.go": "package in\n\ntype Y struct{}\n\nfunc (y Y) Go() {}\n",
}
KINDS_JAVA = {
    f"src/p/{name}.java": f"package p;\npublic class {name} {{ public void go() {{}} }}\n"
    for name in "AB"
}


@dataclass(frozen=True)
class Edit:
    """The text `old` of a file gives way to another. After some, all is linked (`is_built`)."""

    files: dict[str, str]
    path: str
    old: str
    new: str
    is_built: bool = False


EDITS = {
    "names that a module gives out": Edit(
        {
            "m.py": f'{KINDS}__all__ = ["A"]\n',
            "n.py": "from m import *\n",
            "u.py": "from n import *\n\n\ndef u():\n    B().go()\n",
        },
        "m.py",
        '["A"]',
        '["A", "B"]',
    ),
    "protocol that a class satisfies no more": Edit(
        {
            "p.py": "from typing import Protocol\n\n\nclass P(Protocol):\n    def go(self): ...\n",
            "a.py": KINDS.replace("class B:\n", "class B:\n    def stop(self): ...\n")
            + "A()\nB()\n",
            "u.py": "from p import P\n\n\ndef u(one: P):\n    one.go()\n",
        },
        "p.py",
        "def go(self): ...\n",
        "def go(self): ...\n    def stop(self): ...\n",
    ),
    "field of a typed dictionary": Edit(
        {
            "m.py": f"from typing import TypedDict\n\n\n{KINDS}class T(TypedDict):\n    one: A\n",
            "u.py": 'from m import T\n\n\ndef u(t: T):\n    t["one"].go()\n',
        },
        "m.py",
        "one: A",
        "one: B",
    ),
    "decorator of a class": Edit(
        {
            "m.py": f"{KINDS}def mark(one):\n    return one\n",
            "k.py": "from m import mark\n\n\n@mark\nclass K:\n    def go(self): ...\n",
            "u.py": "from k import K\n\n\ndef u():\n    K().go()\n",
        },
        "m.py",
        "return one",
        "return A",
    ),
    "name of a fixture": Edit(
        {
            "conftest.py": f"import pytest\n\n\n{KINDS}"
            '@pytest.fixture(name="first")\ndef _made():\n    return A()\n',
            "test_a.py": "def test_one(first):\n    first.go()\n\n\n"
            "def test_two(last):\n    last.go()\n",
        },
        "conftest.py",
        'name="first"',
        'name="last"',
    ),
    "parameters that arguments are handed on to": Edit(
        {
            "m.py": f"{KINDS}class P:\n    def __init__(self, one=None):\n        one.go()\n",
            "q.py": "from m import P\n\n\nclass Q(P):\n"
            "    def __init__(self, **more):\n        super().__init__(**more)\n",
            "u.py": "from m import A\nfrom q import Q\n\n\ndef u():\n    Q(one=A())\n",
        },
        "m.py",
        "one=None",
        "one=None, two=None",
    ),
    "attribute by its name": Edit(
        {
            "m.py": f"{KINDS}class K:\n    kind = A\n",
            "u.py": 'from m import K\n\n\ndef u():\n    getattr(K(), "kind")().go()\n',
        },
        "m.py",
        "kind = A",
        "kind = B",
    ),
    "module by another name": Edit(
        {
            "m.py": "def f(): ...\ndef g(): ...\n",
            "a.py": "from m import f as run\n",
            "c.py": "import a as other\n",
            "u.py": "from c import other\n\n\ndef u():\n    other.run()\n",
        },
        "a.py",
        "import f",
        "import g",
    ),
    "module by another name in TypeScript": Edit(
        {
            "m.ts": KINDS_TS,
            "a.ts": 'export { A as T } from "./m";\n',
            "c.ts": 'export * as all from "./a";\n',
            "u.ts": 'import { all } from "./c";\nexport function u(t: all.T) { t.go(); }\n',
        },
        "a.ts",
        "A as T",
        "B as T",
    ),
    "field in a pattern": Edit(
        {
            "i.ts": f"{KINDS_TS}export interface I {{ one: A }}\n",
            "u.ts": 'import { I } from "./i";\n'
            "export function u(i: I) { const { one } = i; one.go(); }\n",
        },
        "i.ts",
        "one: A",
        "one: B",
    ),
    "field in a pattern in Rust": Edit(
        {
            "Cargo.toml": '[package]\nname = "ex"\nversion = "0.1.0"\n',
            "src/lib.rs": "mod a;\nmod u;\n",
            "src/a.rs": "pub struct A;\nimpl A { pub fn go(&self) {} }\n"
            "pub struct B;\nimpl B { pub fn go(&self) {} }\npub struct S { pub one: A }\n",
            "src/u.rs": "use crate::a::S;\nfn u(s: S) { let S { one } = s; one.go(); }\n",
        },
        "src/a.rs",
        "one: A",
        "one: B",
    ),
    "method that a function stands for": Edit(
        {
            **KINDS_JAVA,
            "src/p/F.java": "package p;\npublic interface F { void run(A a); }\n",
            "src/p/L.java": "package p;\nclass L { static void on(F f) { f.run(null); } }\n",
            "src/p/U.java": "package p;\nclass U { void u() { L.on(x -> x.go()); } }\n",
        },
        "src/p/F.java",
        "A a",
        "B a",
    ),
    "method that a function stands for where it is returned": Edit(
        {
            **KINDS_JAVA,
            "src/p/F.java": "package p;\npublic interface F { void run(A a); }\n",
            "src/p/U.java": "package p;\nclass U { F u() { return x -> x.go(); } }\n",
        },
        "src/p/F.java",
        "A a",
        "B a",
    ),
    "interface that functions do not stand for any more": Edit(
        {
            **KINDS_JAVA,
            "src/p/F.java": "package p;\npublic interface F { void run(A a); }\n",
            "src/p/U.java": "package p;\nclass U { void u() { F f = x -> x.go(); } }\n",
        },
        "src/p/F.java",
        "(A a); }",
        "(A a); void end(); }",
    ),
    "member that is put into a class": Edit(
        {
            "m.py": "class K:\n    def use(self):\n        self.run()\n",
            "g.py": "def first(one): ...\ndef last(one): ...\n\n\npick = first\n",
            "p.py": "from g import pick\nfrom m import K\n\nK.run = pick\n",
        },
        "g.py",
        "pick = first",
        "pick = last",
    ),
    "class that a member is put into": Edit(
        {
            "m.py": f"{KINDS}class K:\n    def use(self):\n        self.means.go()\n\n\n"
            "class L:\n    def use(self):\n        self.means.go()\n\n\nK()\nL()\n",
            "g.py": "from m import K, L\n\n\ndef make():\n    return K()\n",
            "p.py": "from g import make\nfrom m import A\n\n\n"
            "def fill():\n    some = make()\n    some.means = A()\n",
        },
        "g.py",
        "return K()",
        "return L()",
    ),
    "module in a table": Edit(
        {
            "first.py": "def f(): ...\n",
            "last.py": "def f(): ...\n",
            "m.py": "from first import f\n",
            "h.py": 'import m\n\nTABLE = {"m": m}\n',
            "u.py": 'from h import TABLE\n\n\ndef u():\n    TABLE["m"].f()\n',
        },
        "m.py",
        "from first",
        "from last",
    ),
    "module that is loaded by its name": Edit(
        {
            "first.py": "def f(): ...\n",
            "last.py": "def f(): ...\n",
            "m.py": "from first import f\n",
            "h.py": "from importlib import import_module\n\n\n"
            'def load():\n    return import_module("m")\n',
            "u.py": "from h import load\n\n\ndef u():\n    load().f()\n",
        },
        "m.py",
        "from first",
        "from last",
    ),
    "module that another one gives out all of": Edit(
        {
            "first.py": "def f(): ...\n",
            "last.py": "def f(): ...\n",
            "m.py": "from first import f\n",
            "n.py": "from m import *\n",
            "u.py": "import n\n\n\ndef u():\n    n.f()\n",
        },
        "m.py",
        "from first",
        "from last",
    ),
    "module that a folder gives out all of": Edit(
        {
            "first.ts": "export function f() {}\n",
            "last.ts": "export function f() {}\n",
            "m.ts": 'export { f } from "./first";\n',
            "n/index.ts": 'export * from "../m";\n',
            "o.ts": 'export * as all from "./n";\n',
            "u.ts": 'import { all } from "./o";\nexport function u() { all.f(); }\n',
        },
        "m.ts",
        "./first",
        "./last",
    ),
    "module that gives out another one": Edit(
        {
            "first.js": "exports.f = function () {};\n",
            "last.js": "exports.f = function () {};\n",
            "n/index.js": 'module.exports = require("../first");\n',
            "u.js": 'const n = require("./n");\nfunction u() { n.f(); }\n',
        },
        "n/index.js",
        "../first",
        "../last",
    ),
    "module that gives out by another name what it imports": Edit(
        {
            "first.ts": "export function f() {}\n",
            "last.ts": "export function f() {}\n",
            "m.ts": 'import { f } from "./first";\nexport { f as g };\n',
            "n.ts": 'export * from "./m";\n',
            "u.ts": 'import { g } from "./n";\nexport function u() { g(); }\n',
        },
        "m.ts",
        "./first",
        "./last",
    ),
    "module that gives out what it imports": Edit(
        {
            "first.ts": "export function f() {}\n",
            "last.ts": "export function f() {}\n",
            "m.ts": 'import { f } from "./first";\nexport default f;\n',
            "u.ts": 'import run from "./m";\nexport function u() { run(); }\n',
        },
        "m.ts",
        "./first",
        "./last",
    ),
    "constant that is a function in Rust": Edit(
        {
            "Cargo.toml": '[package]\nname = "ex"\nversion = "0.1.0"\n',
            "src/lib.rs": "mod q;\nmod u;\n",
            "src/q.rs": "pub fn f() {}\npub fn g() {}\npub const RUN: fn() = f;\n",
            "src/u.rs": "use crate::q::RUN;\nfn u() { RUN(); }\n",
        },
        "src/q.rs",
        "= f;",
        "= g;",
    ),
    "list of what is known by other evidence": Edit(
        {
            "m.py": f"{KINDS}class K:\n    def it(self):\n        return A()\n",
            "v.py": "from m import K\n\nROWS = [K().it()]\n",
            "u.py": "from v import ROWS\n\n\ndef u():\n    ROWS[0].go()\n",
        },
        "m.py",
        "    def it(self):\n        return A()",
        "    @property\n    def it(self):\n        return A",
    ),
    "attribute that a class above reads": Edit(
        {
            "m.py": f"{KINDS}class P:\n    means = None\n\n"
            "    def use(self):\n        self.means()\n",
            "k.py": "from m import A, B, P\n\n\nclass Q(P):\n    means = A\n\n\nQ().use()\n",
        },
        "k.py",
        "means = A",
        "means = B",
    ),
    "field of a class above that methods fill": Edit(
        {
            "m.py": "class P:\n    def __init__(self):\n        self.rows = []\n\n"
            "    def use(self):\n        for row in self.rows:\n            row()\n",
            "g.py": "def first(): ...\ndef last(): ...\n\n\npick = first\n",
            "k.py": "from g import pick\nfrom m import P\n\n\nclass Q(P):\n"
            "    def add(self):\n        self.rows.append(pick)\n",
        },
        "g.py",
        "pick = first",
        "pick = last",
    ),
    "text that a constant takes from elsewhere": Edit(
        {
            "g.py": 'NAME = "go"\n',
            "h.py": "from g import NAME\n\nASKED = NAME\n",
            "m.py": KINDS.replace("go(self): ...\n", "go(self): ...\n    def end(self): ...\n", 1),
            "u.py": "from h import ASKED\nfrom m import A\n\n\n"
            "def u():\n    getattr(A(), ASKED)()\n",
        },
        "g.py",
        '"go"',
        '"end"',
    ),
    "name that is deleted in the end": Edit(
        {
            "m.py": "def f(): ...\n",
            "u.py": "from m import f\n\n\ndef u():\n    f()\n",
        },
        "m.py",
        "...\n",
        "...\n\n\ndel f\n",
    ),
    "member that a class imports": Edit(
        {
            "first.py": "def f(one): ...\n",
            "last.py": "def f(one): ...\n",
            "m.py": "class K:\n    from first import f\n",
            "u.py": "from m import K\n\n\ndef u():\n    K().f()\n",
        },
        "m.py",
        "from first",
        "from last",
    ),
    "part of a literal in a variable of a function": Edit(
        {
            "m.py": f"{KINDS}pick = A\n",
            "t.py": "from m import pick\n\n\n"
            'def table():\n    rows = {"a": {"b": {"c": [[pick]]}}}\n    return rows\n',
            "u.py": 'from t import table\n\n\ndef u():\n    table()["a"]["b"]["c"][0][0]().go()\n',
        },
        "m.py",
        "pick = A",
        "pick = B",
    ),
    "struct that another one embeds": Edit(
        {
            "go.mod": "module ex.com/m\n\ngo 1.22\n",
            "t.go": "package m\n\ntype A struct{}\n\nfunc (A) Go() {}\n\n"
            "type B struct{}\n\nfunc (B) Go() {}\n",
            "k.go": "package m\n\ntype K struct{ A }\n",
            "l.go": "package m\n\ntype L struct{ K }\n",
            "u.go": "package m\n\nfunc u(l L) { l.Go() }\n",
        },
        "k.go",
        "{ A }",
        "{ B }",
    ),
    "attribute set of what a function is passed": Edit(
        {
            "m.py": f"{KINDS}class K:\n    def run(self):\n        self.means.go()\n",
            "s.py": "from m import A\n\n\ndef fill(some):\n    some.means = A()\n",
            "u.py": "from m import K\nfrom s import fill\n\n\ndef u():\n    K()\n    fill(None)\n",
        },
        "u.py",
        "fill(None)",
        "fill(K())",
    ),
    "argument that is handed on no more": Edit(
        {
            "m.py": f"{KINDS}def take(one):\n    one.go()\n",
            "f.py": "from m import take\n\n\ndef hand(*some):\n    take(*some)\n",
            "u.py": "from f import hand\nfrom m import *\n\n\ndef u():\n    B()\n    hand(A())\n",
        },
        "u.py",
        "hand(A())",
        "hand(B())",
    ),
    "function that hands arguments on": Edit(
        {
            "m.py": f"{KINDS}def take(one):\n    one.go()\n",
            "f.py": "from m import take\n\n\ndef hand(*some):\n    take(*some)\n",
            "u.py": "from f import hand\nfrom m import A, B\n\n\ndef u():\n    hand(A(), B())\n",
        },
        "f.py",
        "hand(*some)",
        "hand(first, *some)",
        is_built=True,
    ),
    "method that no reference leads to": Edit(
        {
            "Cargo.toml": '[package]\nname = "ex"\nversion = "0.1.0"\n',
            "src/lib.rs": "mod a;\nmod u;\n",
            "src/a.rs": "pub struct A;\nimpl A { pub fn go(&self) {} }\n"
            "pub struct B;\nimpl B { pub fn go(&self) {} }\npub struct S;\n"
            "impl std::ops::Deref for S { type Target = A; fn deref(&self) -> &A { &A } }\n",
            "src/u.rs": "use crate::a::S;\nfn u(s: &S) { s.go(); }\n",
        },
        "src/a.rs",
        "-> &A { &A }",
        "-> &B { &B }",
        is_built=True,
    ),
    "interface that a type satisfies no more": Edit(
        {
            "go.mod": "module ex.com/m\n\ngo 1.22\n",
            "i.go": "package m\n\ntype I interface { Go() }\n",
            "j.go": "package m\n\ntype J interface { I }\n",
            "x.go": "package m\n\ntype X struct{}\n\nfunc (x X) Go() {}\n",
            "y.go": "package m\n\ntype Y struct{}\n\nfunc (y Y) Go() {}\nfunc (y Y) Stop() {}\n"
            "func make() { _ = X{}; _ = Y{} }\n",
            "u.go": "package m\n\nfunc u(i I) { i.Go() }\nfunc v(j J) { j.Go() }\n",
        },
        *("i.go", "Go()", "Go(); Stop()"),
    ),
    "interface that comes, of types which do not know it": Edit(
        {**TYPES_GO, "i.go": "package m\n\nfunc first() {}\n"},
        *("i.go", "func first() {}", "type I interface { Go() }"),
    ),
    "interface that goes, of types which do not know it": Edit(
        {**TYPES_GO, "i.go": "package m\n\ntype I interface { Go() }\n"},
        *("i.go", "type I interface { Go() }", "func first() {}"),
    ),
}


OFTEN = (
    "names that a module gives out",
    "protocol that a class satisfies no more",
    "parameters that arguments are handed on to",
    "field in a pattern",
    "method that a function stands for",
    "member that is put into a class",
    "module in a table",
    "module that a folder gives out all of",
    "module that gives out another one",
    "constant that is a function in Rust",
    "list of what is known by other evidence",
    "attribute that a class above reads",
    "struct that another one embeds",
    "module that gives out what it imports",
    "interface that comes, of types which do not know it",
)
"""One of each way to see an edit; a case takes two CPU seconds."""
_LIKE = "sees an edit like one that is always tried"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in OFTEN else pytest.mark.long(reason=_LIKE))
        for name in EDITS
    ],
)
def test_what_edits_alter_far_away_is_linked_again(
    root: Path, settings: BuildSettings, name: str
) -> None:
    change = EDITS[name]
    calls = "".join(f"    one.more{n}(one.less{n})\n" for n in range(9))
    others = {f"other/other{n}.py": f"def other{n}(one):\n{calls}" for n in range(12)}
    write_files(root, {**others, **change.files})
    build(root, settings)
    edit(root, change.path, change.old, change.new)
    report = build(root, settings)
    assert (report.updated is None) == change.is_built
    check_is_as_built(root, settings, report)
