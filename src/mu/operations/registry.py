"""The one list of what MU can do; servers, tools and the reference are made from it.

It stands apart from the package so that a command imports its own operation and no other.
"""

from mu.operations.audit import audit
from mu.operations.build import build, languages, settings, stats, status
from mu.operations.check import check, suggest_contracts
from mu.operations.codebase import analyze_codebase
from mu.operations.columns import add_columns, list_columns, remove_column
from mu.operations.context import context
from mu.operations.describe import describe
from mu.operations.diff import diff
from mu.operations.doctor import doctor
from mu.operations.graph import ancestors, callees, callers, dependents, deps, impact
from mu.operations.grep import grep
from mu.operations.history import blame, history
from mu.operations.members import bases, find_tests, members, overrides, references, subclasses
from mu.operations.named import queries
from mu.operations.pack import compress, pack
from mu.operations.paths import path
from mu.operations.planning import discover, plan
from mu.operations.query import query
from mu.operations.read import read
from mu.operations.selection import change_impact, select_tests
from mu.operations.structure import cycle_cuts, cycles, search
from mu.operations.unused import unused
from mu.operations.verifying import verify
from mu.operations.what_if import what_if
from mu.operations.why import why, why_not
from mu.operations.wiki import wiki_drift, wiki_list, wiki_read, wiki_search
from mu.operations.workflows import run_workflow

OPERATIONS = (
    query,
    queries,
    describe,
    read,
    deps,
    dependents,
    callees,
    callers,
    ancestors,
    impact,
    references,
    members,
    bases,
    subclasses,
    overrides,
    find_tests,
    path,
    why,
    why_not,
    cycles,
    cycle_cuts,
    unused,
    diff,
    change_impact,
    select_tests,
    history,
    blame,
    check,
    suggest_contracts,
    what_if,
    search,
    grep,
    context,
    pack,
    compress,
    analyze_codebase,
    discover,
    plan,
    run_workflow,
    wiki_list,
    wiki_search,
    wiki_read,
    wiki_drift,
    add_columns,
    list_columns,
    remove_column,
    build,
    status,
    stats,
    audit,
    verify,
    languages,
    settings,
    doctor,
)
"""Every operation, in the order of the reference."""
