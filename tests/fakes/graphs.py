"""Small graphs for tests, written as text.

    app/auth.py                          a file and its module `mod:app/auth.py`
      class AuthService < Base @ 3-20    what it contains, by indentation; bases follow `<`
        def login(user, password) @ 5-12 ^4    `@` first-last line, `^` complexity
    app/auth.py:login -> app/db.py:find calls 7 typed
    ? app/auth.py:login call self.x.y unknown 9

    ! app/auth.py:login route GET /login flask 10

Lines with `->` are edges: source, target, kind, then in any order line, rule, role, `x3` for three
sites and `~9` for sites that may mean nine definitions; each makes its sites, too. Lines that begin
with `?` are sites without an edge, those with `!` entry points: node, role, HTTP methods (`-` for
none), label, framework and line; one with `%` is a problem of the last file: line and what.
Names are ids without their prefix; `ext:requests.get` makes an external node where it is first
named. Names that begin with `test_`, and what stands in a file under `tests/`, are tests.
"""

import re
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from mu.lexical import index_words
from mu.model.graph import Edge, Entry, File, Graph, Measured, Node, Site
from mu.model.kinds import Category, EdgeKind, EntryRole, NodeKind, Reason, Rule, SiteKind
from mu.store import write_graph
from support.session import copy_of

_PREFIX = {"class": "cls", "def": "fn", "var": "var"}
_KIND = {"class": NodeKind.CLASS, "def": NodeKind.FUNCTION, "var": NodeKind.VARIABLE}
_SITE_KIND = {
    EdgeKind.IMPORTS: SiteKind.IMPORT,
    EdgeKind.CALLS: SiteKind.CALL,
    EdgeKind.INHERITS: SiteKind.BASE,
    EdgeKind.LINKS: SiteKind.LINK,
    EdgeKind.MENTIONS: SiteKind.MENTION,
}
_ROLE_SITE_KIND = {"annotation": SiteKind.ANNOTATION, "decorator": SiteKind.DECORATOR}
_NO_SITE = {EdgeKind.CONTAINS, EdgeKind.OVERRIDES}
_DEFINITION = re.compile(
    r"(?P<word>class|def|var|async def) (?P<name>[\w.~]+)(?:\((?P<parameters>[^)]*)\))?"
    r"(?: < (?P<bases>[^@^#]+?))?(?: @ (?P<first>\d+)-(?P<last>\d+))?"
    r"(?: \^(?P<complexity>\d+))?(?: # (?P<docstring>.*))?$"
)
_LANGUAGES = {"java": "java", "md": "markdown", "rs": "rust", "ts": "typescript", "vue": "vue"}
_RULES = {rule.value: rule for rule in Rule}


@dataclass
class _Builder:
    files: list[File] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    bases: list[tuple[int, str, int]] = field(default_factory=list)

    def add_file(self, path: str) -> int:
        key = len(self.files)
        is_test = path.startswith("tests/")
        category = Category.TEST if is_test else Category.SOURCE
        digest = blake2b(path.encode(), digest_size=16).hexdigest()
        self.files.append(
            File(key, path, _language(path), category, "indexed", "", digest, 1000, 100, ())
        )
        kind, prefix = (
            (NodeKind.DOCUMENT, "doc") if path.endswith(".md") else (NodeKind.MODULE, "mod")
        )
        dotted = path.rsplit(".", 1)[0].replace("/", ".")
        name = dotted.rsplit(".", 1)[-1]
        return self.add_node(
            f"{prefix}:{path}", kind, "module", name, dotted, parent=-1, lines=(1, 100), file=key
        )

    def add_node(
        self,
        node_id: str,
        kind: NodeKind,
        subkind: str,
        name: str,
        qualified_name: str,
        *,
        parent: int,
        lines: tuple[int, int],
        file: int,
        parameters: list[str] | None = None,
        complexity: int = 0,
        docstring: str = "",
        is_async: bool = False,
    ) -> int:
        key = len(self.nodes)
        path = self.files[file].path if file >= 0 else ""
        signature = f"def {name}({', '.join(parameters)})" if parameters is not None else ""
        self.keys[node_id.split(":", 1)[1]] = self.keys[node_id] = key
        module = path.rsplit(".", 1)[0].replace("/", ".")
        self.nodes.append(
            Node(
                key=key, id=node_id, kind=kind, subkind=subkind, name=name,
                qualified_name=qualified_name, module=module, language=_language(path), file=file,
                parent=parent, start_line=lines[0], end_line=lines[1], signature=signature,
                docstring=docstring, visibility="private" if name.startswith("_") else "public",
                is_async=is_async, is_static=False, is_abstract=False,
                is_test=path.startswith("tests/") or name.startswith("test_"), is_generated=False,
                decorators=[], parameters=parameters or [], returns="", complexity=complexity,
                lines=lines[1] - lines[0] + 1,
                digest=blake2b(node_id.encode(), digest_size=8).hexdigest(),
            )
        )  # fmt: skip
        if parent >= 0:
            rule = Rule.SYNTAX
            self.edges.append(Edge(parent, key, EdgeKind.CONTAINS, "", lines[0], rule, 1))
        return key

    def define(self, parent: int, text: str) -> int:
        found = _DEFINITION.match(text)
        assert found, f"not a definition: {text!r}"
        outer = self.nodes[parent]
        word, name = found["word"].removeprefix("async "), found["name"]
        at_top = outer.kind in {NodeKind.MODULE, NodeKind.DOCUMENT}
        place = outer.id.split(":", 1)[1] + (":" if at_top else ".") + name
        is_method = word == "def" and outer.kind is NodeKind.CLASS
        parameters = found["parameters"]
        first = int(found["first"] or outer.start_line)
        key = self.add_node(
            f"{_PREFIX[word]}:{place}",
            _KIND[word],
            "method" if is_method else {"def": "function", "var": "constant"}.get(word, word),
            name.split("~")[0],
            f"{outer.qualified_name}.{name.split('~')[0]}",
            parent=parent,
            lines=(first, int(found["last"] or first)),
            file=outer.file,
            parameters=[p.strip() for p in (parameters or "").split(",") if p.strip()]
            if word == "def"
            else None,
            complexity=int(found["complexity"] or (1 if word == "def" else 0)),
            docstring=found["docstring"] or "",
            is_async=found["word"] == "async def",
        )
        bases = (found["bases"] or "").split(",")
        self.bases += [(key, base.strip(), first) for base in bases if base.strip()]
        return key

    def key(self, name: str) -> int:
        if name not in self.keys and name.startswith("ext:"):
            dotted = name.removeprefix("ext:")
            last = dotted.rsplit(".", 1)[-1]
            kind = NodeKind.EXTERNAL
            self.add_node(name, kind, "package", last, dotted, parent=-1, lines=(0, 0), file=-1)
        return self.keys[name]

    def connect(self, source: str, target: str, kind: str, words: list[str]) -> None:
        line = next((int(word) for word in words if word.isdigit()), 1)
        rule = next((_RULES[word] for word in words if word in _RULES), Rule.MODULE)
        count = next((int(word[1:]) for word in words if re.fullmatch(r"x\d+", word)), 1)
        alternatives = next((int(word[1:]) for word in words if re.fullmatch(r"~\d+", word)), 1)
        role = next((w for w in words if w not in _RULES and not re.fullmatch(r"[x~]?\d+", w)), "")
        one, other, edge_kind = self.key(source), self.key(target), EdgeKind(kind)
        self.edges.append(Edge(one, other, edge_kind, role, line, rule, count))
        if edge_kind in _NO_SITE:
            return
        name = self.nodes[other].name
        reason = Reason.EXTERNAL if self.nodes[other].kind is NodeKind.EXTERNAL else None
        site_kind = _ROLE_SITE_KIND.get(role, _SITE_KIND.get(edge_kind, SiteKind.VALUE))
        file = self.nodes[one].file
        self.sites += [
            Site(site_kind, one, file, line + n, name, name, other, 0, rule, reason, alternatives)
            for n in range(count)
        ]

    def leave_open(self, source: str, kind: str, text: str, words: list[str]) -> None:
        one = self.key(source)
        line = next((int(word) for word in words if word.isdigit()), 1)
        reason = next((Reason(w) for w in words if not w.isdigit()), Reason.UNKNOWN)
        name = text.rsplit(".", 1)[-1]
        file = self.nodes[one].file
        self.sites.append(Site(SiteKind(kind), one, file, line, text, name, -1, 0, None, reason, 0))

    def enter(self, name: str, words: list[str]) -> None:
        role, method, label, framework, line = words
        key = self.key(name)
        path = self.files[self.nodes[key].file].path
        method, label = ("" if word == "-" else word for word in (method, label))
        self.entries.append(Entry(key, EntryRole(role), method, label, framework, path, int(line)))


def make_graph(text: str) -> Graph:
    """Make a graph of the text; files stay in the order given, keys are in that order."""
    builder = _Builder()
    stack: list[tuple[int, int]] = []
    for line in text.splitlines():
        content = line.strip()
        if not content:
            continue
        if content.startswith("?"):
            source, kind, reference, *words = content.removeprefix("?").split()
            builder.leave_open(source, kind, reference, words)
        elif content.startswith("!"):
            name, *words = content.removeprefix("!").split()
            builder.enter(name, words)
        elif content.startswith("%"):
            line_number, _, what = content.removeprefix("%").strip().partition(" ")
            problems = (*builder.files[-1].problems, f"{line_number}: {what}")
            builder.files[-1] = builder.files[-1]._replace(problems=problems)
        elif " -> " in content:
            source, _, target, kind, *words = content.split()
            builder.connect(source, target, kind, words)
        else:
            indent = len(line) - len(line.lstrip())
            stack = [(depth, key) for depth, key in stack if depth < indent]
            key = builder.define(stack[-1][1], content) if stack else builder.add_file(content)
            stack.append((indent, key))
    for key, base, line_number in builder.bases:
        known = base if base in builder.keys else _nearby(builder, key, base)
        builder.connect(builder.nodes[key].id, known, "inherits", [str(line_number)])
    return Graph(
        tuple(builder.files),
        tuple(builder.nodes),
        tuple(builder.edges),
        tuple(builder.sites),
        tuple(builder.entries),
    )


def write(graph: Graph, folder: Path, *, measured: tuple[Measured, ...] = ()) -> Path:
    """Have the graph in `.mubase` in `folder`, and give its path; it is written once a session."""
    digest = blake2b(repr((graph, measured)).encode(), digest_size=16).hexdigest()
    return copy_of(digest, lambda path: write_anew(graph, path, measured), folder / ".mubase")


def write_anew(graph: Graph, path: Path, measured: tuple[Measured, ...] = ()) -> Path:
    """Write the graph to `path`, and give it."""
    words, meta = index_words(graph), {"mu_version": "0.0.0"}
    write_graph(graph, path, words=words, measured=measured, meta=meta)
    return path


def _nearby(builder: _Builder, key: int, base: str) -> str:
    """Find a base class by its bare name, in the same file first."""
    own = builder.nodes[key].file
    named = [node for node in builder.nodes if node.kind is NodeKind.CLASS and node.name == base]
    named.sort(key=lambda node: node.file != own)
    return named[0].id if named else f"ext:{base}"


def _language(path: str) -> str:
    return _LANGUAGES.get(path.rsplit(".", 1)[-1], "python")


AUTH = """\
app/auth.py
  class AuthService @ 3-20
    def login(user) @ 5-12 ^4
app/views.py
  def page() @ 1-9
app/views.py:page -> app/auth.py:AuthService.login calls 7 typed
"""
"""The smallest graph with a call to ask about: a page that logs somebody in."""

SHOP = """
app/base.py
  class Service @ 1-10 # What all services share.
    def start() @ 3-5 ^1
    def stop() @ 6-9 ^2
app/db.py
  class Store < Service @ 4-40 # Keeps the orders.
    def find(key) @ 10-19 ^4
    def save(row) @ 20-39 ^7
  var LIMIT @ 2-2
app/auth.py
  class AuthService < Service @ 5-60
    def login(user, password) @ 10-29 ^9
    def logout(user) @ 30-35 ^1
    async def _audit(event) @ 36-40 ^3
  def make_service() @ 70-75 ^2
app/orders.py
  class Orders < Service @ 3-50
    def place(order) @ 8-30 ^12
    def cancel(order) @ 31-45 ^5
tests/test_auth.py
  def test_login() @ 5-9 ^1
docs/auth.md
app/db.py -> app/base.py imports 1 import
app/auth.py -> app/base.py imports 1 import
app/auth.py -> app/db.py imports 2 import
app/auth.py -> app/orders.py imports 3 import type-only
app/orders.py -> app/auth.py imports 1 import
app/orders.py -> app/db.py imports 2 import lazy
app/auth.py -> ext:hashlib imports 4 import
tests/test_auth.py -> app/auth.py imports 1 import
app/auth.py:AuthService.login -> app/db.py:Store.find calls 12 typed x2
app/auth.py:AuthService.login -> app/auth.py:AuthService._audit calls 20 self
app/auth.py:AuthService.login -> ext:hashlib.sha256 calls 15 import
app/auth.py:AuthService.logout -> app/auth.py:AuthService._audit calls 32 self
app/auth.py:make_service -> app/auth.py:AuthService calls 72 module
app/orders.py:Orders.place -> app/auth.py:AuthService.login calls 10 typed
app/orders.py:Orders.place -> app/db.py:Store.save calls 25 typed
app/orders.py:Orders.cancel -> app/db.py:Store.save calls 40 typed
app/db.py:Store.find -> app/db.py:LIMIT uses 12 value
app/orders.py:Orders.place -> app/auth.py:AuthService uses 8 annotation
tests/test_auth.py:test_login -> app/auth.py:make_service calls 6 import
tests/test_auth.py:test_login -> app/auth.py:AuthService.login calls 7 returned
docs/auth.md -> app/auth.py:AuthService.login mentions 3
? app/auth.py:AuthService.login call self.hooks.find unknown 18
? app/orders.py:Orders.place call getattr dynamic 28
"""
"""Six files: every kind of node but sections, every kind of edge but overrides and links."""
