"""The impact of a change set, and the selection of tests to run for it."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mu.analysis.review.difference import compare_graphs
from mu.analysis.review.findings import Difference
from mu.analysis.test_impact.change_reach import Reached, State, reached_by, starts_of
from mu.analysis.test_impact.collected_tests import Test, read_suite
from mu.analysis.test_impact.covering_tests import Around, TestReach, Way
from mu.kernel.report import OnEvent, ignore_event
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, Verdict
from mu.model.relation import Answer, Relation
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset
from mu.operations.revisions.snapshots import Snapshot, with_snapshots
from mu.operations.workspace import Workspace
from mu.render.shown import Shown
from mu.store import GraphFile
from mu.syntax import Manifest, load_manifests

COLUMNS = (
    "id", "name", "kind", "path", "line", "distance", "via", "from_id", "changed", "is_test"
)  # fmt: skip

_NODES = """
SELECT node.key, node.id, node.name, node.kind::VARCHAR, file.path, node.start_line, node.is_test,
    node.language
FROM node JOIN file ON file.key = node.file
WHERE list_contains($1::INTEGER[], node.key)
"""

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
_LIKELY = 0.01
"""The score from which a test is selected; benchmarks/README.md has what it finds, and costs."""


@dataclass(frozen=True, slots=True)
class TestRow:
    """A test to run: how its runner calls it, where it is, and why.

    `runner` is a language's name, whose command is in `Selection.commands`. `distance` is in steps
    from the change, -1 where none are known. `score`, from 0 to 1, ranks how likely the test
    executes what changed. `reason` names the change and what lies between.
    """

    id: str
    runner: str
    node: str
    path: str
    line: int
    distance: int
    score: float
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
        found, states = _difference(before, after, left_out)
        rows = reached_by(found, states, kinds=kinds)
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

    A test is selected when it changed, or likely executes what changed: through calls, values,
    base classes, methods that a framework calls, and fixtures. The most likely are first. With
    `is_safe` so are all that can execute it, and tests in files that import a changed file, at any
    distance: they may reach it in ways that no reference shows, such as a framework's routes.
    """
    check_page(limit, offset)

    def work(before: Snapshot, after: Snapshot, left_out: Sequence[str]) -> Selection:
        found, states = _difference(before, after, left_out)
        chooser = _Chooser(states[1], found, starts_of(found, states))
        chosen = chooser.choose(is_safe=is_safe)
        return _selection(before, after, chosen, chooser, (limit, offset))

    return with_snapshots(workspace, revisions, work=work, on_event=on_event)


def _difference(
    before: Snapshot, after: Snapshot, left_out: Sequence[str]
) -> tuple[Difference, tuple[State, State]]:
    read = before.lines, after.lines
    found = compare_graphs(before.graph, after.graph, read=read, left_out=left_out)
    return found, (State(before.graph, before.lines), State(after.graph, after.lines))


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


_Chosen = tuple[Test, Way | None, str]
"""A test, how it reaches what changed where that is known, and the reason to run it."""


class _Chooser:
    """Chooses among the tests of a graph by what a change set reaches.

    `suite` counts all tests, and `unlikely` those that were left out for their score.
    """

    def __init__(self, state: State, found: Difference, starts: Mapping[int, Reached]) -> None:
        self._graph = graph = state.graph
        self._found = found
        self._tests = read_suite(state)
        fixtures = graph.run(Relation(_FIXTURES), limit=None).rows
        self._fixtures = {int(str(key)): str(path) for key, path in fixtures}
        reach = TestReach(graph, self._tests, list(self._around()))
        self._ways = reach.ways(starts.values())
        self._reaching = reach.reaching(starts)
        shown = self._shown()
        nodes = graph.run(Relation(_NODES, (sorted(shown),)), limit=None).rows
        self._names = {int(str(row[0])): (str(row[2]), str(row[4]), str(row[3])) for row in nodes}
        self.suite = len(self._tests)
        self.unlikely = 0

    def choose(self, *, is_safe: bool) -> list[_Chosen]:
        """Give the tests with the way to the change and the reason, the most likely first."""
        chosen: dict[int, _Chosen] = {}
        for test in self._tests:
            way = self._ways.get(test.key)
            if way is None or test.key not in self._reaching:
                continue
            if is_safe or way.score >= _LIKELY:
                chosen[test.key] = test, way, self._reason(way)
            else:
                self.unlikely += 1
        for test, reason in self._importing() if is_safe else ():
            chosen.setdefault(test.key, (test, None, reason))
        return sorted(
            chosen.values(),
            key=lambda row: (-row[1].score if row[1] else 0, row[0].path, row[0].line),
        )

    def _shown(self) -> set[int]:
        """Give the keys of what reasons may name: all on the ways of the tests."""
        shown = set()
        for test in self._tests:
            here = self._ways.get(test.key)
            while here is not None and here.key not in shown:
                shown.add(here.key)
                here = self._ways.get(here.origin)
        return shown

    def _reason(self, way: Way) -> str:
        if way.distance == 0:
            return "changed itself"
        name, path, kind = self._names.get(way.origin, ("?", "", ""))
        if kind == "module":
            return f"stands in {path}, whose own code is reached"
        if way.origin in self._fixtures:
            return f"fixture {name} runs around it: {self._reason(self._ways[way.origin])}"
        names: list[str] = []
        here: Way | None = self._ways.get(way.origin)
        while here is not None and len(names) < _STEPS:
            names.append(self._names.get(here.key, ("?", "", ""))[0])
            if here.distance == 0:
                break
            here = self._ways.get(here.origin)
        last = way.change.rpartition(":")[2]
        if here is None or here.distance:
            names.append(last if len(names) < _STEPS else f"... {last}")
        return f"reaches {' -> '.join(names)}, which changed"

    def _around(self) -> Iterator[Around]:
        """Give the fixtures that run by themselves, with the tests they serve."""
        for key, path in self._fixtures.items():
            folder = path.rpartition("/")[0]
            own = [test.key for test in self._tests if test.path == path]
            below = [test.key for test in self._tests if _is_below(test.path, folder)]
            yield Around(key, own or below)

    def _importing(self) -> Iterator[tuple[Test, str]]:
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
        holders = set(self._fixtures.values())
        served = {
            path.rpartition("/")[0]: first for path, first in reasons.items() if path in holders
        }
        for test in self._tests:
            first = reasons.get(test.path)
            if first is None:
                folders = [folder for folder in served if _is_below(test.path, folder)]
                first = served[folders[0]] if folders else None
            if first is not None:
                yield test, f"its file imports {first}, which changed"


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _selection(
    before: Snapshot,
    after: Snapshot,
    chosen: Sequence[_Chosen],
    chooser: _Chooser,
    page: tuple[int, int],
) -> Selection:
    manifests = load_manifests()
    limit, offset = page
    rows: dict[tuple[str, str], TestRow] = {}
    folders: dict[tuple[str, str], list[str]] = {}
    for test, way, reason in chosen:
        distance, score = (way.distance, round(way.score, 3)) if way else (-1, 0.0)
        manifest = manifests[test.language]
        id_ = _runner_id(test, manifest)
        rows.setdefault(
            (test.language, id_ if not manifest.tests.by_folder else f"{test.path}\0{id_}"),
            TestRow(id_, test.language, test.id, test.path, test.line, distance, score, reason),
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
        suite=chooser.suite,
        tests=tuple(shown),
        commands={language: tuple(each) for language, each in commands.items()},
        verdict=Verdict.AT_LEAST,
        notes=tuple(_notes(len(found), chooser.unlikely)),
        next_offset=end if shown and end < len(found) else None,
    )


def _notes(found: int, unlikely: int) -> Iterator[str]:
    if unlikely:
        tests, them = (
            ("1 more test", "it") if unlikely == 1 else (f"{unlikely:,} more tests", "them")
        )
        yield f"{tests} can reach what changed, less likely: --safe adds {them}"
    elif not found:
        yield "no test reaches what changed, as far as references are resolved"


def _runner_id(test: Test, manifest: Manifest) -> str:
    """Write a test as its runner takes it."""
    names = test.names
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
