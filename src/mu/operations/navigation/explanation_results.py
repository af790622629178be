"""The values of an explanation, and the words for rules and reasons."""

from dataclasses import dataclass
from typing import Final

from mu.model.found import FoundNode
from mu.model.kinds import Reason, Rule, Verdict
from mu.render.shown import Shown

RULES = {
    Rule.LOCAL: "the name is bound in a function around it",
    Rule.MODULE: "the name is bound in the same module",
    Rule.IMPORT: "the name came in through an import",
    Rule.SELF: "a member of the class around it",
    Rule.INHERITED: "a member that a class has from one of its bases",
    Rule.SUPER: "the next class after the one around it has it, by `super()`",
    Rule.TYPED: "the type of the receiver is declared",
    Rule.INFERRED: "inferred from what is assigned or passed to it, or to its receiver",
    Rule.RETURNED: "a call returns it, or its receiver",
    Rule.CALLBACK: "it is passed as a callback",
    Rule.VIRTUAL: "a subclass has it in place of the one that is named, and instances are made",
    Rule.REGISTERED: "it is registered with a framework, which calls or injects it",
    Rule.SHAPE: "it has all the methods that the other asks for",
    Rule.SYMBOL: "linkers or interpreters know it by that name, and nothing else has the name",
    Rule.PACKAGE: "the name is visible in the whole package",
    Rule.UNIQUE_NAME: "no other definition has the name; the receiver is unknown",
    Rule.SYNTAX: "the text itself says so",
}
"""What each rule means, as a sentence without its end."""

REASONS = {
    Reason.EXTERNAL: "it means something outside the repository",
    Reason.AMBIGUOUS: "nothing is known of the receiver",
    Reason.DYNAMIC: "what is called is itself computed",
    Reason.UNKNOWN: "no definition fits, as far as is known",
}
"""What each reason means, as a sentence without its end."""


COUNTED_CANDIDATES: Final = 10
"""How far the definitions are counted that fit a reference of which nothing more is known. It is
`MOST_CANDIDATES` of `mu.resolve.limits`.
"""

HELD = "held"
"""The role of an edge whose sites stand in the lines of its source, and the body around runs."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a source; `source_line` is None when the file changed since the build."""

    path: str
    line: int
    source_line: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """A class on the way from the one that is named to the one that has the member."""

    id: str
    path: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Something else that the same site may mean."""

    id: str
    rule: str


@dataclass(frozen=True, slots=True)
class SiteReason:
    """A site that makes an edge, and how.

    `text` is the reference as written and `says` what `rule` means. `imported` is the import that
    brings the name in, `through` the classes on the way, `others` what it may mean as well.
    """

    place: Line
    text: str
    rule: str
    says: str
    imported: Line | None
    through: tuple[Step, ...]
    others: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class EdgeReason:
    """An edge and its first sites; `total_sites` counts all.

    `confidence` is the measured share of right edges of the first site's rule, or None.
    """

    source: str
    target: str
    kind: str
    role: str
    rule: str
    says: str
    confidence: float | None
    path: str | None
    line: int
    total_sites: int
    sites: tuple[SiteReason, ...]


@dataclass(frozen=True, slots=True)
class OtherSite:
    """A site with the name that was looked for, and what became of it instead.

    `could_be` tells that nothing is known against its meaning the node after all.
    """

    place: Line
    source: str
    kind: str
    text: str
    name: str
    says: str
    reason: str | None
    candidates: int
    could_be: bool
    means: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hop:
    """A node on the shortest way; `via` is the kind of its edge to the next, None at the end."""

    id: str
    via: str | None
    path: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class Absence:
    """Why there is no edge.

    `sites` are the first of `total_sites` that have the name. `same_file` and `imported` (a line of
    the first file) show how the two files are related; `reverse` are the kinds of edges the other
    way round, and `route` is the shortest way over other nodes.
    """

    sites: tuple[OtherSite, ...]
    total_sites: int
    same_file: bool
    imported: Line | None
    reverse: tuple[str, ...]
    route: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Why(Shown):
    """The edges from `start` to `goal`, of which there are `total_edges`, or their absence.

    The verdict is `unknown` when there is no edge and a site could be one, and when files changed
    since the graph was built, as `notes` say.
    """

    start: FoundNode
    goal: FoundNode
    verdict: Verdict
    total_edges: int
    edges: tuple[EdgeReason, ...]
    absence: Absence | None
    notes: tuple[str, ...] = ()
