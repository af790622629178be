"""Contracts as `mu.toml` has them.

Kinds and keys are those of import-linter where it has them. A module is written as a dotted name or
as a path and stands for all below it; `*` stands for one part of a name and `**` for one or more.
"""

from enum import StrEnum

import msgspec

from mu.model.kinds import Confidence


class ContractKind(StrEnum):
    """What a contract demands."""

    LAYERS = "layers"
    INDEPENDENCE = "independence"
    FORBIDDEN = "forbidden"
    PROTECTED = "protected"
    INTERFACE = "interface"
    ACYCLIC = "acyclic"
    ACYCLIC_SIBLINGS = "acyclic_siblings"
    DEPENDENTS = "dependents"
    DEPENDENCIES = "dependencies"
    DEAD_CODE = "dead_code"


class Contract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one contract demands of which modules.

    `layers` are the highest first, each one module or several: with `|` between those that must not
    import each other, with `:` between those that may, in parentheses those that need not exist.
    With `containers` they are names below each of these. `ignore_imports` are imports that do not
    count, as `a -> b`. `type_only` counts imports for type checkers, too.
    """

    name: str
    type: ContractKind
    layers: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    exhaustive: bool = False
    exhaustive_ignores: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    importers: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    depth: int = 10
    most: int = -1
    confidence: Confidence = Confidence.HIGH
    as_packages: bool = True
    allow_indirect: bool = False
    ignore_imports: tuple[str, ...] = ()
    allow_unmatched: bool = False
    type_only: bool = False

    def missing(self) -> str:
        """Name the key that this kind of contract cannot do without; empty when it is there."""
        needed, _ = _KEYS[self.type]
        return next((key for key in needed if getattr(self, key) in ((), -1)), "")

    def superfluous(self) -> str:
        """Name a key that is given and means nothing to this kind of contract; or nothing."""
        needed, allowed = _KEYS[self.type]
        known = {"name", "type", *needed, *allowed}
        given = (
            field.name
            for field in msgspec.structs.fields(self)
            if field.name not in known and getattr(self, field.name) != field.default
        )
        return next(given, "")


_IMPORTS = ("ignore_imports", "allow_unmatched", "type_only")

_KEYS: dict[ContractKind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    ContractKind.LAYERS: (
        ("layers",),
        ("containers", "exhaustive", "exhaustive_ignores", "allow_indirect", *_IMPORTS),
    ),
    ContractKind.INDEPENDENCE: (("modules",), ("allow_indirect", *_IMPORTS)),
    ContractKind.FORBIDDEN: (("source", "target"), ("allow_indirect", "as_packages", *_IMPORTS)),
    ContractKind.PROTECTED: (("modules",), ("importers", "as_packages", *_IMPORTS)),
    ContractKind.INTERFACE: (("modules",), ("public", "importers", *_IMPORTS)),
    ContractKind.ACYCLIC: ((), ("modules", *_IMPORTS)),
    ContractKind.ACYCLIC_SIBLINGS: (("modules",), ("depth", "skip", *_IMPORTS)),
    ContractKind.DEPENDENTS: (("most",), ("modules", *_IMPORTS)),
    ContractKind.DEPENDENCIES: (("most",), ("modules", *_IMPORTS)),
    ContractKind.DEAD_CODE: ((), ("modules", "confidence")),
}
"""The keys that each kind needs, and those it may have."""
