"""What to read: for a question, packed to a budget; for a plan, first names and then interfaces."""

from mu.context.catalogue import (
    Component,
    Parameter,
    Planning,
    build_context,
    build_discovery_context,
    build_planning_context,
)
from mu.context.layout import Style
from mu.context.packing import Packed, Piece, Sources, pack
from mu.context.relevance.change_history import Changes
from mu.context.relevance.file_scores import Repository
from mu.context.relevance.ranked import Ranked
from mu.context.relevance.ranking import Intent, RankedFile, Ranking, rank
from mu.context.structures import parse_structure
from mu.context.tokens import CHARACTERS, estimate_tokens
from mu.context.workflow_files import (
    Workflows,
    all_workflows,
    delete_workflow,
    load_saved_workflows,
    save_workflow,
    shipped_workflows,
)
from mu.context.workflows import Input, Step, Workflow, WorkflowError, parse_workflow

__all__ = [
    "CHARACTERS",
    "Changes",
    "Component",
    "Input",
    "Intent",
    "Packed",
    "Parameter",
    "Piece",
    "Planning",
    "Ranked",
    "RankedFile",
    "Ranking",
    "Repository",
    "Sources",
    "Step",
    "Style",
    "Workflow",
    "WorkflowError",
    "Workflows",
    "all_workflows",
    "build_context",
    "build_discovery_context",
    "build_planning_context",
    "delete_workflow",
    "estimate_tokens",
    "load_saved_workflows",
    "pack",
    "parse_structure",
    "parse_workflow",
    "rank",
    "save_workflow",
    "shipped_workflows",
]
