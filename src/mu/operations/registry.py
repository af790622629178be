"""The one list of what MU can do; servers, tools and the reference are made from it.

It stands apart from the package so that a command imports its own operation and no other.
"""

from mu.operations.architecture.cycles import cycle_cuts, cycles
from mu.operations.architecture.dead_code import unused
from mu.operations.architecture.rule_check import check, suggest_contracts
from mu.operations.architecture.what_if import what_if
from mu.operations.graph_file.added_columns import add_columns, list_columns, remove_column
from mu.operations.graph_file.build import build, languages, settings, stats, status
from mu.operations.graph_file.doctor import doctor
from mu.operations.graph_file.ledger_audit import audit
from mu.operations.graph_file.rebuild_check import verify
from mu.operations.navigation.dependencies import (
    ancestors,
    callees,
    callers,
    dependents,
    deps,
    impact,
)
from mu.operations.navigation.dependency_path import path
from mu.operations.navigation.describe import describe
from mu.operations.navigation.explanation import why, why_not
from mu.operations.navigation.grep import grep
from mu.operations.navigation.members import (
    bases,
    find_tests,
    members,
    overrides,
    references,
    subclasses,
)
from mu.operations.navigation.node_source import read
from mu.operations.navigation.search import search
from mu.operations.navigation.wiki import wiki_drift, wiki_list, wiki_read, wiki_search
from mu.operations.packing.codebase import analyze_codebase
from mu.operations.packing.context import context
from mu.operations.packing.pack import compress, pack
from mu.operations.packing.planning import discover, plan
from mu.operations.queries.named_queries import queries
from mu.operations.queries.query import query
from mu.operations.revisions.affected_tests import change_impact, select_tests
from mu.operations.revisions.diff import diff
from mu.operations.revisions.history import blame, history
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
