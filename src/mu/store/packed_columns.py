"""Edges and sites as columns of their tables: numbers, and places among distinct texts."""

from array import array
from collections.abc import Mapping, Sequence

from mu.model.graph import Edge, Site
from mu.model.packed_rows import REASONS, RULES, SITE_KINDS, PackedEdges, PackedSites
from mu.store.parquet import Column, Numbers, Texts, place_code

_RULES = [rule or "" for rule in RULES]
_REASONS = [reason or "" for reason in REASONS]


def edge_columns(edges: Sequence[Edge]) -> Mapping[str, Column]:
    """Give the columns of the table of edges."""
    packed = PackedEdges.of(edges)
    return {
        "source": Numbers(packed.sources),
        "target": Numbers(packed.targets),
        "kind": Texts([kind for kind, _ in packed.kinds], packed.sorts),
        "role": Texts([role for _, role in packed.kinds], packed.sorts),
        "line": Numbers(packed.lines),
        "rule": Texts(_RULES, packed.rules),
        "sites": Numbers(packed.sites),
    }


def site_columns(sites: Sequence[Site]) -> Mapping[str, Column]:
    """Give the columns of the table of sites; what is missing is -1 or an empty text."""
    packed = PackedSites.of(sites)
    return {
        "kind": Texts(SITE_KINDS, packed.kinds),
        "source": Numbers(packed.sources),
        "file": Numbers(packed.files),
        "line": Numbers(packed.lines),
        "text": _texts(packed.texts),
        "name": _texts(packed.names),
        "target": Numbers(packed.targets),
        "choice": Numbers(packed.choices),
        "rule": Texts(_RULES, packed.rules),
        "reason": Texts(_REASONS, packed.reasons),
        "candidates": Numbers(packed.candidates),
    }


def _texts(texts: Sequence[str]) -> Texts:
    """Give texts as places among the distinct ones."""
    distinct = [*dict.fromkeys(texts)]
    numbers = dict(zip(distinct, range(len(distinct)), strict=True))
    return Texts(distinct, array(place_code(len(distinct)), map(numbers.__getitem__, texts)))
