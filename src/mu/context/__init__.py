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
from mu.context.ranking import Intent, Ranked, RankedFile, Ranking, rank
from mu.context.structures import parse_structure
from mu.context.tokens import estimate_tokens

__all__ = [
    "Component",
    "Intent",
    "Packed",
    "Parameter",
    "Piece",
    "Planning",
    "Ranked",
    "RankedFile",
    "Ranking",
    "Sources",
    "Style",
    "build_context",
    "build_discovery_context",
    "build_planning_context",
    "estimate_tokens",
    "pack",
    "parse_structure",
    "rank",
]
