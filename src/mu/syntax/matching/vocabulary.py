"""The closed vocabulary of captures: the roles of patterns, and the parts that each may have.

`queries/README.md` is the same table in words. A pattern captures exactly one role (a key of
`ROLES`) and any parts of it; captures with a leading underscore are for predicates alone.
"""

import re

import msgspec

from mu.errors import MuError

ROLES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    role: (frozenset(required.split()), frozenset(optional.split()))
    for role, required, optional in (
        # The file as a whole.
        ("definition.class", "name", "body bases generics header limits decorators parameters"),
        ("definition.extension", "class body", "bases generics header limits"),
        (
            "definition.function",
            "name parameters",
            "body async static class generics header limits decorators results returns",
        ),
        ("definition.lambda", "name body", "parameters owner"),
        ("scope.function", "body", "parameters async generics results returns name"),
        ("scope.class", "", "body bases generics header name"),
        ("scope.block", "", ""),
        ("decorator", "", "value of"),
        ("extends", "value", "name"),
        ("docstring", "text", ""),
        ("return", "value", ""),
        ("yield", "value", "all"),
        ("generator", "", ""),
        ("branch", "", ""),
        ("region.type_only", "", ""),
        ("region.conditional", "", ""),
        ("region.annotation", "", ""),
        ("region.generic", "", ""),
        ("generic", "name", ""),
        ("flow.choice", "", "test then other"),
        ("flow.also", "test then", ""),
        ("flow.operand", "test", "then other"),
        ("flow.loop", "", "test then other"),
        ("flow.try", "", "then handler other last"),
        ("flow.clause", "", "then"),
        ("flow.inside", "then", ""),
        ("flow.match", "test", ""),
        ("flow.case", "test then", "guard"),
        ("flow.require", "test", ""),
        ("flow.end", "", ""),
        ("package", "name", ""),
        ("import.module", "module", "alias type_only"),
        ("import.name", "name", "module level alias type_only"),
        ("import.default", "module alias", "type_only"),
        ("import.within", "module", "type_only"),
        ("import.wildcard", "", "module level"),
        ("visibility", "", "name modifier declaration"),
        ("export.default", "value", ""),
        ("export.name", "name", "alias type_only"),
        ("binding.value", "target value", ""),
        ("binding.added", "target value", ""),
        ("binding.declared", "target type", ""),
        ("binding.alias", "target type", ""),
        ("binding.element", "target value", "async"),
        ("binding.key", "target value", ""),
        ("binding.drawn", "target value", "async"),
        ("binding.entered", "target value", ""),
        ("binding.caught", "target value", ""),
        ("binding.assigned", "target value", ""),
        ("binding.narrowed", "target type region", ""),
        ("binding.matched", "target", "value"),
        ("binding.placed", "target types", ""),
        ("binding.sent", "target value", ""),
        ("binding.opaque", "target", ""),
        ("binding.deleted", "target", ""),
        ("binding.global", "target", ""),
        ("binding.nonlocal", "target", ""),
        ("binding.hoisted", "target", ""),
        ("binding.shorthand", "", ""),
        ("reference.value", "", ""),
        ("reference.type", "", ""),
        ("reference.label", "", ""),
        ("reference.words", "", ""),
        ("reference.settings", "", ""),
        ("operation.entered", "value", ""),
        ("operation.deleted", "value", ""),
        ("operation.applied", "value", ""),
        ("operation.raised", "value", ""),
        ("operation.changed", "changed operator right", ""),
        # One node at a time.
        ("expression.name", "", ""),
        ("expression.same", "base", ""),
        ("expression.attribute", "base name", ""),
        ("expression.dotted", "", ""),
        ("expression.call", "base", "name arguments argument generics"),
        ("expression.index", "base", "arguments argument"),
        ("expression.await", "base", ""),
        ("expression.union", "option", ""),
        ("expression.operator", "left operator", "right"),
        ("expression.function", "body", ""),
        ("expression.callable", "", "name returns parameters generics"),
        ("expression.cast", "type", "value"),
        ("expression.composite", "type value", ""),
        ("expression.yielded", "", ""),
        ("expression.collection", "", ""),
        ("expression.comprehension", "body", "key"),
        ("expression.pair", "key value", ""),
        ("expression.spread", "base", ""),
        ("expression.keyword", "name value", ""),
        ("expression.string", "", ""),
        ("expression.literal", "", ""),
        ("skip", "", ""),
        ("target.sequence", "", ""),
        ("target.rest", "", "name"),
        ("target.members", "", ""),
        ("target.member", "", "key name"),
        ("target.field", "key", ""),
        ("target.same", "name", "value"),
        ("target.variant", "type", ""),
        ("target.compared", "", ""),
        ("target.key", "", "value"),
        ("parameter", "", "name type value decorators"),
        ("parameter.field", "name", "type value decorators"),
        ("parameter.placed", "", ""),
        ("parameter.rest", "name", "type decorators around"),
        ("parameter.keywords", "name", "type"),
        ("test.type", "type", "target check inside"),
        ("test.not", "of", ""),
        ("test.same", "of", ""),
        ("test.both", "", "of"),
        ("test.either", "", "of"),
    )
}

TYPED_ROLES = frozenset(
    (
        *("expression.literal", "expression.collection", "expression.comprehension"),
        *("expression.attribute", "operation.applied"),
    )
)
"""Roles that have a suffix.

It is the type of a literal or collection (`expression.literal.int`), what is done with a value
(`operation.applied.if`), or the only thing an attribute can be (`expression.attribute.function`).
"""

DEFINITIONS = ("definition.class", "definition.function", "scope.class", "scope.function")
"""Roles that may have a subkind as their suffix: `definition.class.interface`."""

FILE_QUERIES = ("definitions", "imports", "bindings", "references", "flow")
"""Query files whose patterns may match anywhere in a file; they are compiled together."""

NODE_QUERIES = ("expressions", "targets", "parameters", "tests")
"""Query files whose patterns are matched at one node at a time; each is compiled on its own."""

OPTIONAL_QUERIES = ("flow", "tests")
"""Query files that a language may lack; without them, names hold all their bindings everywhere."""

SKIP = -1  # do nothing: the walk reads it by itself
VISIT = 0  # walk it, without its value
VALUE, TARGET, TYPE, DECORATOR, DELETED = 1, 2, 3, 4, 5  # read it as such
MATCHED = 11  # read it as a pattern, in which names may be constants
CONDITIONAL, TYPE_ONLY = 6, 7  # walk it under a condition
BASE, ASSIGNED = 8, 9  # read it as a base class; as a target that is bound elsewhere
DRAWN = 10  # read its value as an iterable, the first one in the outer scope
WORDS, SETTINGS = 12, 13  # read the names in a token tree
LABEL = 14  # read it as a constant that something is compared with
REREAD = 16  # added for a descendant of another child: read its value without noting anything
"""The use of a child, by the roles of its parent; the highest one applies."""

_USES = {
    "reference.value": VALUE,
    "reference.type": TYPE,
    "reference.label": LABEL,
    "reference.words": WORDS,
    "reference.settings": SETTINGS,
    "region.conditional": CONDITIONAL,
    "region.type_only": TYPE_ONLY,
    "target": TARGET,
    "type": TYPE,
    "arguments": SKIP,
    **dict.fromkeys(("value", "option", "left", "right", "key", "body", "argument"), VALUE),
}
"""The use of a part, by its name; other parts are visited."""

_OTHER_USES = {
    ("extends", "value"): BASE,
    ("decorator", "value"): DECORATOR,
    ("package", "name"): SKIP,
    ("operation.deleted", "value"): DELETED,
    ("definition.lambda", "body"): VISIT,
    ("binding.assigned", "target"): ASSIGNED,
    ("binding.matched", "target"): MATCHED,
    ("binding.drawn", "value"): DRAWN,
    ("binding.sent", "target"): VALUE,
    ("binding.matched", "value"): DRAWN,
    ("binding.placed", "target"): VISIT,
    ("binding.placed", "types"): SKIP,
    ("binding.narrowed", "type"): SKIP,
    ("binding.narrowed", "target"): VISIT,
    ("binding.deleted", "target"): VISIT,
    ("binding.global", "target"): VISIT,
    ("binding.nonlocal", "target"): VISIT,
    ("binding.hoisted", "target"): VISIT,
    ("expression.callable", "returns"): VALUE,
    ("expression.callable", "parameters"): SKIP,
    ("expression.callable", "generics"): SKIP,
    ("expression.callable", "name"): SKIP,
    ("expression.cast", "type"): TYPE,
    ("expression.composite", "type"): TYPE,
}

STEPS = frozenset(
    f"expression.{name}" for name in ("call", "attribute", "index", "await", "spread", "same")
)
"""Roles that build a value from their `base` in one step: chains of these may have any length."""

DEFINING = frozenset(
    (
        *("definition.class", "definition.extension", "definition.function"),
        *("scope.class", "scope.function"),
    )
)
"""Definitions, which walk their children themselves."""

BEFORE = frozenset(
    (
        *("definition.lambda", "generator"),
        *("binding.global", "binding.nonlocal", "binding.hoisted"),
        *("binding.narrowed", "import.within", "generic"),
    )
)
"""Roles that are handled before the children of the node are walked."""

AFTER = frozenset(
    (
        *("binding.value", "binding.added", "binding.declared", "binding.element"),
        "binding.alias",
        *("binding.drawn", "binding.entered", "binding.matched", "binding.placed", "binding.key"),
        "binding.sent",
        *("binding.caught", "binding.opaque", "binding.deleted", "binding.assigned"),
        *("extends", "package", "decorator", "return", "yield", "operation.entered"),
        *("operation.applied", "operation.changed", "operation.raised"),
        *("import.module", "import.name", "import.default", "import.wildcard"),
        *("export.default", "export.name", "visibility"),
        *("binding.shorthand", "expression.composite"),
    )
)
"""Roles that are handled after the children of the node are walked."""

_CAPTURE = re.compile(r"@([\w.]+)")
_STRING_OR_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|;[^\n]*')


class InvalidQueryError(MuError):
    """A query file that cannot be used; the message names its file and line."""


class Role(msgspec.Struct, frozen=True, array_like=True):
    """The role of a pattern: a key of `ROLES`, and its suffix or an empty string."""

    name: str
    type: str = ""


def is_of_node(role: Role) -> bool:
    """Tell whether a role classifies the node itself, instead of something the file does."""
    kinds = ("expression.", "target.", "parameter", "test.", "docstring", "skip")
    return role.name.startswith(kinds)


def use_of(role: Role, part: str) -> int:
    """Return how the walk uses a part of a role; the part may be the role itself."""
    if part == "base":
        return SKIP if role.name in STEPS else VALUE
    return _OTHER_USES.get((role.name, part), _USES.get(part, VISIT))


def role_of(pattern: str, location: str) -> Role:
    """Return the role of a pattern; `location` is `file:line`, for error messages.

    Raises InvalidQueryError unless the pattern has one role, all its required parts and no other
    parts.
    """
    captures = capture_names(pattern)
    roles = [role for role in map(_as_role, captures) if role is not None]
    if len(roles) != 1:
        raise InvalidQueryError(
            f"{location}: a pattern needs exactly one role, this one has {len(roles)}",
            "the roles are listed in queries/README.md",
        )
    role = roles[0]
    required, optional = ROLES[role.name]
    parts = {name for name in captures if _as_role(name) is None and not name.startswith("_")}
    for part in sorted(parts - required - optional):
        raise InvalidQueryError(
            f"{location}: `@{part}` is not a part of `@{role.name}`",
            f"its parts: {', '.join(sorted(required | optional)) or 'none'}",
        )
    for part in sorted(required - parts):
        raise InvalidQueryError(f"{location}: `@{role.name}` needs `@{part}`")
    return role


def capture_names(pattern: str) -> list[str]:
    """Return the captures in a pattern, each once, without those in comments and strings."""
    text = _STRING_OR_COMMENT.sub(lambda found: '""' if found[1] else "", pattern)
    without_predicates = re.sub(r"\(#[^()]*\)", "", text)
    return list(dict.fromkeys(_CAPTURE.findall(without_predicates)))


def _as_role(capture: str) -> Role | None:
    if capture in ROLES:
        return Role(capture)
    for typed in (*TYPED_ROLES, *DEFINITIONS):
        if capture.startswith(typed + "."):
            return Role(typed, capture[len(typed) + 1 :])
    return None
