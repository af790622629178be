"""What to read for a question: nodes ranked by words and by the graph, packed to a budget."""

from mu.context.layout import Style
from mu.context.packing import Packed, Piece, Sources, pack
from mu.context.ranking import Intent, Ranked, RankedFile, rank, rank_files
from mu.context.tokens import estimate_tokens

__all__ = [
    "Intent",
    "Packed",
    "Piece",
    "Ranked",
    "RankedFile",
    "Sources",
    "Style",
    "estimate_tokens",
    "pack",
    "rank",
    "rank_files",
]
