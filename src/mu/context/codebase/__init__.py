"""A codebase, or a part of it, told to a budget: overview, signatures, sources."""

from mu.context.codebase.forms import Form, Head
from mu.context.codebase.importance import Part, PartFile, definitions, find_part
from mu.context.codebase.outlines import read_outlines
from mu.context.codebase.packing import Detail, Material, PackedCodebase, pack_codebase
from mu.context.codebase.sources import Lines

__all__ = [
    "Detail",
    "Form",
    "Head",
    "Lines",
    "Material",
    "PackedCodebase",
    "Part",
    "PartFile",
    "definitions",
    "find_part",
    "pack_codebase",
    "read_outlines",
]
