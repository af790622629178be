"""Check the architecture rules of a repository: queries without rows, and contracts on imports."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mu import config
from mu.analysis.rules.breaches import ImportStep, breaches
from mu.analysis.rules.contract import Contract, ContractKind
from mu.analysis.rules.module_imports import ModuleImports, read_module_imports
from mu.analysis.rules.module_sets import ModuleSets
from mu.analysis.rules.suggestion import suggested_layers
from mu.errors import ExitCode, MuError
from mu.kernel.report import OnEvent, ignore_event
from mu.model.relation import Cell
from mu.muql import compile_query
from mu.muql.repository_history import Beyond
from mu.operations.architecture.dead_code import at_least
from mu.operations.architecture.violation_baseline import Key, read_baseline, write_baseline
from mu.operations.line_reader import read_source_of
from mu.operations.queries.query import DEFAULT_TIMEOUT
from mu.operations.results import DEFAULT_LIMIT, check_page
from mu.operations.workspace import Workspace
from mu.render.shown import Shown
from mu.store import GraphFile

_MOST_ROWS = 10_000
"""Rows of one query that are violations."""

_LINES = ("line", "start_line", "end_line")
"""Columns that change with edits elsewhere, and do not tell violations apart."""


@dataclass(frozen=True, slots=True)
class Violation:
    """What breaks a rule: the rule's name, what and where.

    `line` is 0 where none is known. `steps` are the imports of a chain or a cycle, and `cut` those
    to remove so that a cycle is broken, the fewest if `is_minimum`. `many` are the imports of which
    there are more than may be.
    """

    rule: str
    message: str
    path: str
    line: int
    steps: tuple[ImportStep, ...] = ()
    cut: tuple[ImportStep, ...] = ()
    is_minimum: bool = True
    many: tuple[ImportStep, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckReport(Shown):
    """The violations, at most the limit asked for, of `total`; `rules` are the names checked.

    `accepted` counts those left out because `mu-baseline.json` has them, and `mended` what it has
    and is no violation any more; None where that was not asked.
    """

    rules: tuple[str, ...]
    broken: tuple[str, ...]
    total: int
    violations: tuple[Violation, ...]
    accepted: int = 0
    mended: int | None = None
    next_offset: int | None = None


def check(
    workspace: Workspace,
    revisions: str | None = None,
    *,
    linter_file: str = "",
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    on_event: OnEvent = ignore_event,
) -> CheckReport:
    """Check the rules and contracts in the section `[check]` of `mu.toml`.

    A rule is a query of MUQL that has to have no rows; a contract says what may not be imported.
    With `revisions`, as for `diff`, only violations that were not there before are reported, by the
    rules that `mu.toml` has now. What `mu-baseline.json` has is accepted. `linter_file` is a
    configuration of import-linter in the repository, whose contracts are checked instead.
    Raises MuError where there is no rule, or one cannot be checked.
    """
    check_page(limit, offset)
    checks = _checks(workspace, linter_file)
    names = checks.names()
    if not names:
        raise MuError(
            "mu.toml has no rules to check", "add [[check.contract]] or [[check.rule]]",
            ExitCode.USAGE,
        )  # fmt: skip
    if revisions is None:
        every = list(_violations(workspace, workspace.graph, checks))
    else:
        from mu.operations.revisions.snapshots import Snapshot, with_snapshots

        def work(before: Snapshot, after: Snapshot, _: Sequence[str]) -> list[_Found]:
            past = _violations(workspace, before.graph, checks, is_past=True)
            old = frozenset(key for _, keys in past for key in keys)
            new = _violations(workspace, after.graph, checks)
            return [one for one in new if not old.issuperset(one[1])]

        every = with_snapshots(workspace, revisions, work=work, on_event=on_event)
    baseline = read_baseline(workspace.root) or frozenset()
    found = [row for row, keys in every if not baseline.issuperset(keys)]
    page = tuple(found[offset : offset + limit])
    end = offset + len(page)
    broken = {row.rule for row in found}
    return CheckReport(
        rules=names,
        broken=tuple(name for name in names if name in broken),
        total=len(found),
        violations=page,
        accepted=len(every) - len(found),
        mended=len(baseline - _keys(every)) if revisions is None else None,
        next_offset=end if page and end < len(found) else None,
    )


@dataclass(frozen=True, slots=True)
class Contracts(Shown):
    """Contracts, and how `mu.toml` has them."""

    contracts: tuple[Contract, ...]
    text: str


def suggest_contracts(workspace: Workspace, *, linter_file: str = "") -> Contracts:
    """Suggest a contract of layers that the repository keeps, or convert those of import-linter.

    The layers are made of what lies right below the folder with nearly all code. `linter_file` is
    a configuration of import-linter in the repository. Raises MuError where there is no code.
    """
    if linter_file:
        contracts = _checks(workspace, linter_file).contract
    else:
        imports = read_module_imports(workspace.graph)
        contracts = (suggested_layers(workspace.graph, imports),)
        if not contracts[0].layers:
            raise MuError("no code to suggest layers for")
    return Contracts(contracts, "\n".join(map(config.contract_text, contracts)))


def _checks(workspace: Workspace, linter_file: str) -> config.Checks:
    if not linter_file:
        return config.read_checks(workspace.root)
    path = (workspace.root / linter_file).resolve()
    if not path.is_relative_to(workspace.root.resolve()):
        raise MuError(f"{linter_file} is not in the repository", "", ExitCode.USAGE)
    return config.Checks(contract=config.read_linter_contracts(path))


def update_baseline(workspace: Workspace) -> int:
    """Write `mu-baseline.json`, and give the number of violations it accepts.

    Where there is none it takes all violations; else those that were mended leave it, and nothing
    comes in. Raises what `check` raises.
    """
    checks = config.read_checks(workspace.root)
    keys = _keys(_violations(workspace, workspace.graph, checks))
    known = read_baseline(workspace.root)
    kept = keys if known is None else keys & known
    write_baseline(workspace.root, kept)
    return len(kept)


_Found = tuple[Violation, tuple[Key, ...]]
"""A violation, and what tells it apart from others, whatever lines it is on.

One that is about a number has a key for each import that counts, so that one more is new.
"""


def _keys(found: Iterable[_Found]) -> frozenset[Key]:
    return frozenset(key for _, keys in found for key in keys)


def _violations(
    workspace: Workspace, graph: GraphFile, checks: config.Checks, *, is_past: bool = False
) -> Iterator[_Found]:
    for rule in checks.rule:
        yield from _rows(workspace, graph, rule)
    imports = read_module_imports(graph) if checks.contract else None
    for contract in checks.contract:
        if imports is None:
            continue
        try:
            if contract.type is ContractKind.DEAD_CODE:
                yield from _dead_code(workspace, graph, contract, imports=imports)
            else:
                yield from _breaches(contract, imports)
        except LookupError as error:
            if is_past:
                continue
            raise MuError(
                f"contract '{contract.name}' names {error.args[0]}, which is not in the graph",
                'write a path, or a dotted name, as `mu query "FIND modules"` lists them',
                ExitCode.USAGE,
            ) from error


def _breaches(contract: Contract, imports: ModuleImports) -> Iterator[_Found]:
    for breach in breaches(contract, imports):
        row = Violation(
            contract.name, breach.message, breach.path, breach.line,
            breach.steps, breach.cut, breach.is_minimum, breach.many,
        )  # fmt: skip
        if breach.many:
            yield row, tuple((contract.name, mark) for mark in _marks(breach.many))
        else:
            marks = tuple(_marks(breach.cut or breach.steps)) or (breach.message,)
            yield row, ((contract.name, *marks),)


def _marks(steps: Sequence[ImportStep]) -> Iterator[str]:
    return (f"{step.path} -> {step.target}" for step in steps)


def _dead_code(
    workspace: Workspace, graph: GraphFile, contract: Contract, *, imports: ModuleImports
) -> Iterator[_Found]:
    inside = frozenset(imports.names)
    if contract.modules:
        sets = ModuleSets(imports)
        inside = frozenset().union(*(sets.one(text).members for text in contract.modules))
    query = config.QueryRule(contract.name, at_least(contract.confidence), "nothing uses this")
    for row, _ in _rows(workspace, graph, query):
        if row.path in inside:
            yield row, ((contract.name, row.message),)


def _rows(workspace: Workspace, graph: GraphFile, rule: config.QueryRule) -> Iterator[_Found]:
    compiled = compile_query(
        rule.query, graph, project=Path(workspace.root), beyond=Beyond(read_source_of(workspace))
    )
    answer = graph.run(compiled.relation, limit=_MOST_ROWS, timeout=DEFAULT_TIMEOUT)
    for cells in answer.rows:
        row: dict[str, Cell] = dict(zip(answer.columns, cells, strict=True))
        kept = [str(value) for name, value in row.items() if name not in _LINES]
        what = str(row.get("id") or row.get("name") or ", ".join(kept))
        path = str(row.get("path") or what.partition(":")[2].partition(":")[0])
        line = str(row.get("line") or row.get("start_line") or 0)
        message = f"{rule.message or 'the query has a row'}: {what}"
        yield Violation(rule.name, message, path, int(line)), ((rule.name, *kept),)
