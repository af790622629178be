"""Which nodes outside the repository nothing leads to any more, once files are linked again."""

from collections.abc import Iterable, Mapping

from mu.model.graph import Node
from mu.resolve.incremental.comparison.kept_text import KeptText
from mu.resolve.incremental.comparison.name_uses import FileFinder, NameUses
from mu.resolve.incremental.file_set import LostElsewhereError
from mu.resolve.incremental.program_version import ProgramLinks
from mu.resolve.semantics.language_rules import LanguageRules


def unmet(
    before: ProgramLinks, after: ProgramLinks, *, rules: Iterable[LanguageRules], uses: NameUses
) -> set[str]:
    """The nodes outside the repository, by id, that no file leads to any more, as no other one has
    their names; operations lead to what is not named.
    """
    languages = [*rules]
    return {
        node.id
        for node in _left(before, after)
        if not any(_is_unnamed(one, node.name) for one in languages)
        and uses.of({node.name}, is_meant=True) <= after.files.keys()
    }


def met_by_kept(
    links: tuple[ProgramLinks, ProgramLinks],
    kept: Mapping[int, KeptText],
    *,
    rules: Iterable[LanguageRules],
    uses: NameUses,
    find: FileFinder,
) -> set[str]:
    """The nodes outside the repository, by id, that only text which is kept leads to.

    Raises LostElsewhereError where it may meet one and has no reference to it.
    """
    left = {node.id: node.name for node in _left(*links)} if kept else {}
    if not left:
        return set()
    languages = [*rules]
    met = find.led_to(left.keys(), {node for one in kept.values() for node in one.lines})
    for node, name in left.items():
        is_unnamed = any(_is_unnamed(one, name) for one in languages)
        if node in met:
            continue
        if is_unnamed or any(kept[key].may_name({name}) for key in uses.of({name}) & kept.keys()):
            raise LostElsewhereError("text that is kept may meet what is outside")
    return met


def _left(before: ProgramLinks, after: ProgramLinks) -> list[Node]:
    """The nodes outside that were met before and are not any more."""
    met = {node.id for node in after.nodes.outside()}
    return [node for node in before.nodes.outside() if node.id not in met]


def _is_unnamed(rules: LanguageRules, name: str) -> bool:
    """Tell whether what has a name may be called where nothing names it."""
    return name in rules.calls.constructors or rules.is_called_implicitly(name)
