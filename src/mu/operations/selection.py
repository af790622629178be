"""What a change set reaches, and the tests to run for it."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mu.analysis.review.difference import compare_graphs
from mu.analysis.review.findings import Difference
from mu.analysis.review.reached import Reached, State, reached_by
from mu.kernel.indexing import ignore_event
from mu.kernel.report import OnEvent
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, Verdict
from mu.model.relation import Answer, Relation
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset
from mu.operations.revisions import Snapshot, with_snapshots
from mu.operations.workspace import Workspace
from mu.render.shown import Shown
from mu.store import GraphFile
from mu.syntax import Manifest, load_manifests

COLUMNS = (
    "id", "name", "kind", "path", "line", "distance", "via", "from_id", "changed", "is_test"
)  # fmt: skip

_RUNNING = (EdgeKind.CALLS, EdgeKind.INHERITS, EdgeKind.OVERRIDES, EdgeKind.USES)
"""What a test follows when it runs; an import alone runs nothing that a function holds."""

_NODES = """
SELECT node.key, node.id, node.name, node.kind::VARCHAR, file.path, node.start_line, node.is_test,
    node.language
FROM node JOIN file ON file.key = node.file
WHERE list_contains($1::INTEGER[], node.key)
"""

_TESTS = """
SELECT node.key, node.id, node.name, file.path, node.language, node.start_line
FROM node JOIN file ON file.key = node.file
WHERE (node.key IN (SELECT entry.node FROM entry WHERE entry.role = 'test') OR {named})
    AND node.key NOT IN (SELECT entry.node FROM entry WHERE entry.role = 'fixture')
ORDER BY file.path, node.start_line
"""

_NAMED = """(node.is_test AND node.kind = 'function' AND node.language = ? AND node.name GLOB ?
    AND file.category = 'test')"""

_FIXTURES = """
SELECT node.key, file.path FROM entry JOIN node ON node.key = entry.node
JOIN file ON file.key = node.file WHERE entry.role = 'fixture'
"""

_FILE_IMPORTS = """
SELECT DISTINCT near.file, far.file
FROM edge JOIN node AS near ON near.key = edge.source JOIN node AS far ON far.key = edge.target
WHERE edge.kind = 'imports' AND far.file IS NOT NULL AND near.file <> far.file
"""

_FILES = "SELECT key, path, category::VARCHAR, language FROM file WHERE status = 'indexed'"

_STEPS = 4  # of a chain that a reason shows


@dataclass(frozen=True, slots=True)
class TestRow:
    """A test to run: how its runner calls it, where it is, and why.

    `runner` is a language's name, whose command is in `Selection.commands`. `distance` is in edges
    from the change, -1 for what only `is_safe` adds. `reason` names the change and what lies
    between.
    """

    id: str
    runner: str
    node: str
    path: str
    line: int
    distance: int
    reason: str


@dataclass(frozen=True, slots=True)
class Selection(Shown):
    """The tests to run for a change set.

    `tests` are at most the limit asked for, of `total`, where `suite` counts all there are.
    `commands` run all that are selected, by language. `before` and `after` name what was compared.
    """

    before: str
    after: str
    total: int
    suite: int
    tests: tuple[TestRow, ...]
    commands: dict[str, tuple[str, ...]]
    verdict: Verdict
    notes: tuple[str, ...] = ()
    next_offset: int | None = None


def change_impact(
    workspace: Workspace,
    revisions: str = "",
    *,
    kinds: Sequence[EdgeKind] = DEPENDENCY_KINDS,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    on_event: OnEvent = ignore_event,
) -> Rows:
    """List all that a change set reaches: what changed, and what uses it, at any distance.

    `revisions` is as for `diff`. Rows are the nearest first: `distance` is 0 for what changed
    itself, and `changed` is the definition from which a row was reached, `from_id` the one before
    it. Rows that use what was removed are at distance 1.
    """
    check_page(limit, offset)

    def work(before: Snapshot, after: Snapshot, left_out: Sequence[str]) -> Rows:
        _, rows = _reach(before, after, left_out, kinds)
        return _impact_rows(after.graph, rows, limit, offset)

    return with_snapshots(workspace, revisions, work=work, on_event=on_event)


def select_tests(
    workspace: Workspace,
    revisions: str = "",
    *,
    is_safe: bool = False,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    on_event: OnEvent = ignore_event,
) -> Selection:
    """List the tests that a change set may make fail, as ids that their runners take, with reasons.

    A test is selected when it changed, or uses what changed through calls, base classes, overrides,
    types, values or fixtures. With `is_safe` so are tests in files that import a changed file, at
    any distance: they may reach it in ways that no reference shows, such as a framework's routes.
    """
    check_page(limit, offset)

    def work(before: Snapshot, after: Snapshot, left_out: Sequence[str]) -> Selection:
        found, rows = _reach(before, after, left_out, _RUNNING)
        chosen = _Chooser(after.graph, found, rows).choose(is_safe=is_safe)
        return _selection(before, after, chosen, _counted(after.graph), (limit, offset))

    return with_snapshots(workspace, revisions, work=work, on_event=on_event)


def _reach(
    before: Snapshot, after: Snapshot, left_out: Sequence[str], kinds: Sequence[EdgeKind]
) -> tuple[Difference, tuple[Reached, ...]]:
    read = before.lines, after.lines
    found = compare_graphs(before.graph, after.graph, read=read, left_out=left_out)
    states = [State(one.graph, one.lines) for one in (before, after)]
    return found, reached_by(found, (states[0], states[1]), kinds=kinds)


def _impact_rows(graph: GraphFile, rows: Sequence[Reached], limit: int, offset: int) -> Rows:
    page = rows[offset : offset + limit]
    nodes = {
        int(str(row[0])): row
        for row in graph.run(
            Relation(_NODES, (sorted({key for one in page for key in (one.key, one.origin)}),)),
            limit=None,
        ).rows
    }
    cells = []
    for one in page:
        if one.key not in nodes:
            continue
        _, id_, name, kind, path, line, is_test, _ = nodes[one.key]
        origin = nodes.get(one.origin)
        cells.append((
            str(id_), str(name), str(kind), str(path), int(str(line)), one.distance,
            one.via or None, str(origin[1]) if origin else None, one.change, bool(is_test),
        ))  # fmt: skip
    note = "" if rows else "nothing in code differs"
    far = sum(one.distance > 0 for one in rows)
    note = note or f"{len(rows) - far:,} changed, {far:,} use them directly or through others"
    answer = Answer(
        COLUMNS,
        tuple(cells),
        total=len(rows),
        truncated=offset + len(page) < len(rows),
        verdict=Verdict.AT_LEAST,
        notes=(note,),
    )
    return Rows(answer, next_offset(answer, offset), is_backward=True)


class _Test(NamedTuple):
    key: int
    id: str
    name: str
    path: str
    language: str
    line: int


class _Chooser:
    """Chooses among the tests of a graph by what a change set reaches."""

    def __init__(self, graph: GraphFile, found: Difference, rows: Sequence[Reached]) -> None:
        self._graph = graph
        self._found = found
        self._rows = {row.key: row for row in rows}
        tests = graph.run(_all_tests(), limit=None).rows
        self._tests = [
            _Test(int(str(key)), str(id_), str(name), str(path), str(language), int(str(line)))
            for key, id_, name, path, language, line in tests
        ]
        nodes = graph.run(Relation(_NODES, (sorted(self._rows),)), limit=None).rows
        self._names = {int(str(row[0])): (str(row[2]), str(row[4]), str(row[3])) for row in nodes}

    def choose(self, *, is_safe: bool) -> list[tuple[_Test, int, str]]:
        """Give the tests with the distance from the change and the reason, the nearest first."""
        chosen: dict[int, tuple[_Test, int, str]] = {}
        for test in self._tests:
            row = self._rows.get(test.key)
            if row is not None:
                chosen[test.key] = test, row.distance, self._reason(row)
        for test, distance, reason in (*self._around(), *(self._importing() if is_safe else ())):
            chosen.setdefault(test.key, (test, distance, reason))
        ranks = [distance if distance >= 0 else 1 << 30 for _, distance, _ in chosen.values()]
        both = zip(ranks, chosen.values(), strict=True)
        return [
            row
            for _, row in sorted(both, key=lambda pair: (pair[0], pair[1][0].path, pair[1][0].line))
        ]

    def _reason(self, row: Reached) -> str:
        if row.distance == 0:
            return "changed itself"
        names: list[str] = []
        here: Reached | None = self._rows.get(row.origin)
        while here is not None and len(names) < _STEPS:
            names.append(self._names.get(here.key, ("?", "", ""))[0])
            if here.distance == 0:
                break
            here = self._rows.get(here.origin)
        last = row.change.rpartition(":")[2]
        if here is None or here.distance:
            names.append(last if len(names) < _STEPS else f"... {last}")
        return f"reaches {' -> '.join(names)}, which changed"

    def _around(self) -> Iterator[tuple[_Test, int, str]]:
        """Give the tests around which the runner calls a fixture, or a module, that is reached."""
        for key, path in self._graph.run(Relation(_FIXTURES), limit=None).rows:
            row = self._rows.get(int(str(key)))
            if row is not None:
                name = self._names[row.key][0]
                reason = f"fixture {name} runs around it: {self._reason(row)}"
                yield from self._below(str(path), row.distance + 1, reason)
        for row in self._rows.values():
            name, path, kind = self._names.get(row.key, ("", "", ""))
            if kind == "module" and row.distance <= 1:
                for test in self._tests:
                    if test.path == path:
                        yield test, row.distance + 1, f"stands in {path}, whose own code is reached"

    def _below(self, path: str, distance: int, reason: str) -> Iterator[tuple[_Test, int, str]]:
        """Give the tests that fixtures of a file serve: its own, or those below its folder."""
        own = [test for test in self._tests if test.path == path]
        folder = path.rpartition("/")[0]
        for test in own or self._tests:
            if own or not folder or test.path.startswith(f"{folder}/"):
                yield test, distance, reason

    def _importing(self) -> Iterator[tuple[_Test, int, str]]:
        """Give the tests in files that import what changed, at any distance."""
        files = self._graph.run(Relation(_FILES), limit=None).rows
        paths = {int(str(row[0])): str(row[1]) for row in files}
        importers: dict[int, list[int]] = {}
        for near, far in self._graph.run(Relation(_FILE_IMPORTS), limit=None).rows:
            importers.setdefault(int(str(far)), []).append(int(str(near)))
        changed = {one.path for one in self._found.changes if one.kind != "document"}
        changed |= {one.before_path for one in self._found.changes if one.kind != "document"}
        origin = {key: path for key, path in paths.items() if path in changed}
        pending = list(origin)
        while pending:
            here = pending.pop()
            for near in importers.get(here, ()):
                if near not in origin:
                    origin[near] = origin[here]
                    pending.append(near)
        reasons = {paths[key]: path for key, path in origin.items() if key in paths}
        holders = {str(path) for _, path in self._graph.run(Relation(_FIXTURES), limit=None).rows}
        served = {
            path.rpartition("/")[0]: first for path, first in reasons.items() if path in holders
        }
        for test in self._tests:
            first = reasons.get(test.path)
            if first is None:
                folders = [folder for folder in served if _is_below(test.path, folder)]
                first = served[folders[0]] if folders else None
            if first is not None:
                yield test, -1, f"its file imports {first}, which changed"


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _counted(graph: GraphFile) -> int:
    return len(graph.run(_all_tests(), limit=None).rows)


def _all_tests() -> Relation:
    """Ask for what runners call: what is marked as a test, and functions by their names."""
    named = [
        (language, pattern)
        for language, manifest in load_manifests().items()
        for pattern in manifest.tests.functions
    ]
    sql = _TESTS.format(named=" OR ".join([_NAMED] * len(named)) or "false")
    return Relation(sql, tuple(value for pair in named for value in pair))


def _selection(
    before: Snapshot,
    after: Snapshot,
    chosen: Sequence[tuple[_Test, int, str]],
    suite: int,
    page: tuple[int, int],
) -> Selection:
    manifests = load_manifests()
    limit, offset = page
    rows: dict[tuple[str, str], TestRow] = {}
    folders: dict[tuple[str, str], list[str]] = {}
    for test, distance, reason in chosen:
        manifest = manifests[test.language]
        id_ = _runner_id(test, manifest)
        rows.setdefault(
            (test.language, id_ if not manifest.tests.by_folder else f"{test.path}\0{id_}"),
            TestRow(id_, test.language, test.id, test.path, test.line, distance, reason),
        )
        folder = test.path.rpartition("/")[0] if manifest.tests.by_folder else ""
        ids = folders.setdefault((test.language, folder), [])
        if id_ not in ids:
            ids.append(id_)
    commands: dict[str, list[str]] = {}
    for (language, folder), ids in sorted(folders.items()):
        commands.setdefault(language, []).append(_command(manifests[language], folder, ids))
    found = list(rows.values())
    shown = found[offset : offset + limit]
    end = offset + len(shown)
    return Selection(
        before=before.name,
        after=after.name,
        total=len(found),
        suite=suite,
        tests=tuple(shown),
        commands={language: tuple(each) for language, each in commands.items()},
        verdict=Verdict.AT_LEAST,
        notes=() if found else ("no test reaches what changed, as far as references tell",),
        next_offset=end if shown and end < len(found) else None,
    )


def _runner_id(test: _Test, manifest: Manifest) -> str:
    """Write a test as its runner takes it."""
    names = test.id.rpartition(":")[2].partition("~")[0].split(".")
    form = manifest.tests.id or "{path}"
    return form.format(
        path=test.path,
        folder=test.path.rpartition("/")[0] or ".",
        names="::".join(names),
        name=names[-1],
        parent=names[-2] if len(names) > 1 else "",
    )


def _command(manifest: Manifest, folder: str, ids: Sequence[str]) -> str:
    tests = manifest.tests
    is_list = tests.join == " "
    joined = tests.join.join(map(shlex.quote, ids) if is_list else (_plain(one) for one in ids))
    place = shlex.quote(f"./{folder}" if folder else ".")
    return tests.command.format(ids=joined, folder=place)


def _plain(name: str) -> str:
    """Give a name without what a shell would read, which stands between quotes already."""
    return name.replace("'", "")
