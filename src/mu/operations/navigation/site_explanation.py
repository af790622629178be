"""Explain how a site was resolved: its import, the classes on the way, other candidates."""

import msgspec

from mu.analysis.paths import edge_evidence
from mu.analysis.paths.edge_evidence import LinkSite, Member, SiteAnswer
from mu.analysis.paths.shortest_path import path as path_relation
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.kinds import EdgeKind, Rule, SiteKind
from mu.model.relation import Relation
from mu.operations.navigation.explanation_results import RULES, Choice, Line, SiteReason, Step
from mu.operations.source_lines import SourceLines
from mu.operations.workspace import Workspace

_INHERITS = (EdgeKind.INHERITS,)


class SiteReasons:
    """Explains sites; asks the graph each question once."""

    def __init__(self, workspace: Workspace) -> None:
        self._graph = workspace.graph
        self.lines = SourceLines(workspace)
        self._answers: dict[str, tuple[SiteAnswer, ...]] = {}
        self._members: dict[str, Member | None] = {}

    def of(self, site: LinkSite) -> SiteReason:
        """Explain one site."""
        answers = [answer for answer in self._answers_of(site) if answer.target != site.target]
        return SiteReason(
            place=self.line(site.path, site.line),
            text=site.text,
            rule=site.rule,
            says=RULES[Rule(site.rule)],
            imported=self._imported(site),
            through=self._through(site, answers),
            others=tuple(Choice(answer.target, answer.rule) for answer in answers),
        )

    def line(self, path: str, number: int) -> Line:
        """Give a line with its text."""
        return Line(path, number, self.lines.at(path, number))

    def _answers_of(self, site: LinkSite) -> list[SiteAnswer]:
        if site.source not in self._answers:
            rows = self._graph.run(edge_evidence.answers_of(site.source), limit=None).rows
            self._answers[site.source] = msgspec.convert(rows, tuple[SiteAnswer, ...])
        place = (site.kind, site.path, site.line, site.text, site.name)
        return [answer for answer in self._answers[site.source] if answer[:5] == place]

    def _imported(self, site: LinkSite) -> Line | None:
        if site.rule != Rule.IMPORT or site.kind == "import":
            return None
        relation = Relation("SELECT start_line, end_line FROM node WHERE id = ?", (site.source,))
        [span] = msgspec.convert(self._graph.run(relation).rows, tuple[tuple[int, int], ...])
        name = site.text.partition(".")[0]
        relation = edge_evidence.bringing_import(site.target, site.path, name=name, lines=span)
        found = msgspec.convert(self._graph.run(relation).rows, tuple[tuple[int], ...])
        return self.line(site.path, found[0][0]) if found else None

    def _through(self, site: LinkSite, answers: list[SiteAnswer]) -> tuple[Step, ...]:
        """Give the classes from the one that a member is looked up in to the one that has it."""
        having = self._member(site.target)
        if having is None:
            return ()
        if site.rule == Rule.VIRTUAL:
            named = [answer for answer in answers if answer.rule != Rule.VIRTUAL]
            named = named or self._declared_for(site)
            replaced = self._member(named[0].target) if named else None
            return self._way(having, replaced) if replaced else ()
        if site.rule not in (Rule.INHERITED, Rule.SUPER):
            return ()
        around = self._member(site.source)
        if around is None:
            return ()
        is_own = site.text.partition(".")[0] == around.receiver
        return self._way(around, having) if is_own or site.rule == Rule.SUPER else ()

    def _declared_for(self, site: LinkSite) -> list[SiteAnswer]:
        """What is only declared where a method of another class runs: it is used, not called."""
        place = (SiteKind.VALUE, site.path, site.line, site.text, site.name)
        return [answer for answer in self._answers[site.source] if answer[:5] == place]

    def _member(self, node: str) -> Member | None:
        if node not in self._members:
            rows = self._graph.run(edge_evidence.class_around(node)).rows
            found = msgspec.convert(rows, tuple[Member, ...])
            self._members[node] = found[0] if found else None
        return self._members[node]

    def _way(self, start: Member, goal: Member) -> tuple[Step, ...]:
        if start.key == goal.key:
            return ()
        walk = Walk(start.key, Direction.FORWARD, kinds=_INHERITS)
        walked = walk_graph(self._graph, walk)
        rows = self._graph.run(path_relation(self._graph, walked, goal=goal.key)).rows
        cells = [(row[1], row[4], row[5]) for row in rows]
        steps = msgspec.convert(cells, list[tuple[str, str | None, int | None]])
        return tuple(Step(*step) for step in steps)
