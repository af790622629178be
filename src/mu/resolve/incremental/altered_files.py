"""Effects of linked files on others, except by changed values of definitions and attributes.

Such effects are changed dispatch, MROs and `super()` lookups, framework registrations, subclasses
added to or removed from a class, and structural types that other classes satisfy.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property, partial
from itertools import chain

from mu.model.facts import Op
from mu.model.graph import Entry
from mu.resolve.abstract_values import Values
from mu.resolve.frameworks.framework_detection import SharedKind
from mu.resolve.frameworks.handler_arguments import HTTP_METHODS
from mu.resolve.incremental.altered_classes.other_bases import MroChanges
from mu.resolve.incremental.altered_classes.other_members import functions_running_others
from mu.resolve.incremental.altered_classes.subclass_bounds import classes_at_bounds
from mu.resolve.incremental.arguments.support_search import forwarders_of
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.linked_parts import (
    Functions,
    LinkedParts,
    joined_functions,
)
from mu.resolve.incremental.comparison.name_uses import FileFinder
from mu.resolve.incremental.file_set import ClassesBelow
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.incremental.state_match import (
    changed_super_lookups,
    files_above,
    newly_instantiated,
    no_longer_instantiated,
)
from mu.resolve.limits import MOST_OVERRIDES
from mu.resolve.solver.propagation_state import PropagationState
from mu.resolve.solver.solver import ParameterKey

_NAME = int(Op.NAME)
_PATH = Entry._fields.index("path")


class AlteredFiles:
    """Comparison of the programs before and after an edit, given what is linked of them."""

    def __init__(
        self,
        old: ProgramVersion,
        new: ProgramVersion,
        change: tuple[Mapping[int, FileDifference], Renumbering],
        *,
        find: FileFinder,
        parts: LinkedParts,
    ) -> None:
        """`change` is the externally visible difference of each changed file, and the numbers in
        the new program; `parts` are the functions that are linked.
        """
        self._old = old
        self._parts = parts
        self._new = new
        self._differences, self._renumbering = change
        self._find = find

    def by(self, files: Set[int], others: MroChanges) -> set[int]:
        """Return the files that linked ones affect; `others` are the classes with changed MROs."""
        new, find = self._new, self._find
        found = files_above(new, self._asking_otherwise(files))
        found |= self._registered_otherwise(files) | self._routed_otherwise(others)
        found |= self._dispatching_otherwise(files)
        below = self._classes_below_others(others)
        found |= below.files | ({*find.callers(below.callers)} if below.callers else set())
        found |= find.users(below.used) if below.used else set()
        found |= {
            one for key in new.there(files) for one in new.linker.nodes.homes_of(key) if one != key
        }
        found |= find.sharing(files & self._old.program.files.keys())
        return found | new.extended_in(files)

    def seeing(self, others: MroChanges, points_to: Mapping[ParameterKey, Values]) -> Functions:
        """Return the functions affected by changed class MROs.

        `points_to` are the points-to sets of parameters in the old program.
        """
        find, parts = self._find, self._parts
        asking: dict[int, set[str]] = {}
        names = others.names
        to = names, others.met, others.outside, self._old.operations_among(names)
        for key, sources in find.referring(names, to).items():
            nodes = {*sources.get("", ())}
            read = sources.keys() - {""}
            if read and others.are_asked(self._old, key, names=read):
                nodes.update(node for name in read for node in sources[name])
            asking[key] = nodes
        return joined_functions(
            dict.fromkeys(others.operating),
            parts.inside(others.classes),
            parts.sources(find.sources(others.users)),
            parts.sources(find.callers(others.callers) if others.callers else {}),
            parts.sources({key: nodes for key, nodes in asking.items() if nodes}),
            parts.around(others.passed(self._old, points_to)),
        )

    def running_others(self) -> Functions:
        """Return the functions with references that may dispatch to other members, because classes
        were added, removed, or changed in whether they are instantiated or abstract.
        """
        old, new, renumbering = self._old, self._new, self._renumbering
        lost = no_longer_instantiated(old, new, renumbering=renumbering)
        classes = {(id(old), number): (old, number) for number in lost}
        come = newly_instantiated(old, new, renumbering=renumbering)
        classes.update({(id(new), number): (new, number) for number in come})
        for one, number in (
            *self._classes_apart,
            *self._classes_at_bounds,
            *self._classes_abstract_otherwise,
        ):
            classes[id(one), number] = one, number
        return functions_running_others(
            *(old, new),
            renumbering=renumbering,
            classes=classes.values(),
            find=self._find,
            parts=self._parts,
        )

    @cached_property
    def _classes_at_bounds(self) -> Sequence[tuple[ProgramVersion, int]]:
        """Subclasses in both programs that only one searches, as others shift the bound on them."""
        return classes_at_bounds(
            *(self._old, self._new), renumbering=self._renumbering, classes=self._classes_apart
        )

    @cached_property
    def _classes_abstract_otherwise(self) -> Sequence[tuple[ProgramVersion, int]]:
        """Classes that are abstract in one program only, of changed files and below abstract ones
        of these: an abstract class is no receiver of the methods that it inherits.
        """
        old, renumbering = self._old, self._renumbering
        waiting = [
            old.program.units[key].first + local
            for key, difference in self._differences.items()
            if key in old.program.units
            and (difference.names or difference.changed or difference.rebased)
            for local in difference.numbers
        ]
        found: dict[int, bool] = {}
        while waiting:
            number = waiting.pop()
            is_class = old.program.definitions[number].kind == "class"
            if not is_class or number in found or not renumbering.is_left(number):
                continue
            was = old.linker.abstract_methods.is_abstract(number)
            now = self._new.linker.abstract_methods.is_abstract(renumbering.number(number))
            found[number] = was != now
            if was or now:
                waiting += old.linker.evaluator.hierarchy.children.get(number, ())
        return [(old, number) for number, differs in found.items() if differs]

    @cached_property
    def _classes_apart(self) -> Sequence[tuple[ProgramVersion, int]]:
        """Classes of changed files that only one of the programs has."""
        return [*self._find_classes_apart()]

    def _find_classes_apart(self) -> Iterator[tuple[ProgramVersion, int]]:
        new, differences, renumbering = self._new, self._differences, self._renumbering
        for one, is_other in (
            (self._old, lambda number: not renumbering.is_left(number)),
            (new, renumbering.is_new),
        ):
            for unit in (one.program.units[key] for key in one.there(differences)):
                for local, row in enumerate(unit.facts.definitions):
                    if row.kind == "class" and is_other(unit.first + local):
                        yield one, unit.first + local

    def _classes_below_others(self, others: MroChanges) -> ClassesBelow:
        """Return the effects on superclasses of classes that were added, removed, or changed in
        whether they are instantiated.
        """
        found, old, new, renumbering = ClassesBelow(), self._old, self._new, self._renumbering
        self._note_shapes(found, others)
        classes = [(one, number, True) for one, number in self._classes_apart]
        classes += [(one, number, False) for one, number in self._classes_at_bounds]
        come = newly_instantiated(old, new, renumbering=renumbering)
        classes += [(new, number, False) for number in come]
        lost = no_longer_instantiated(old, new, renumbering=renumbering)
        classes += [(old, number, False) for number in lost]
        for one, number, is_other in classes:
            found.add(
                *(one.program, one.linker),
                number=number,
                is_other=is_other,
                makes_too_many=partial(self._makes_too_many, one),
            )
        return found

    def _makes_too_many(self, one: ProgramVersion, number: int) -> bool:
        """Return whether a class has, in both programs, more instantiated subclasses than a call of
        it is linked to.
        """
        pair = self._renumbering.in_both(number, is_new=one is self._new)
        return pair is not None and all(
            len(version.linker.whole_program.dispatch.live_below(each)) > MOST_OVERRIDES
            for version, each in zip((self._old, self._new), pair, strict=True)
        )

    def _asking_otherwise(self, files: Set[int]) -> set[int]:
        """Return the classes in the files that read other members of superclasses than before."""
        found: set[int] = set()
        for key in files:
            before, after = self._old.contribution_of(key), self._new.contribution_of(key)
            found |= changed_super_lookups(before, after, renumbering=self._renumbering)
        return found

    def _registered_otherwise(self, files: Set[int]) -> set[int]:
        """Return the files in which registrations of `files` change what frameworks call, inject or
        use as entry points.
        """
        new = self._new
        before, after = self._old.entries_elsewhere(files), new.entries_elsewhere(files)
        paths = {row[_PATH] for row in before ^ after}
        other = {key for key, file in new.program.files.items() if file.path in paths}
        registering = self._old.registering, new.registering
        kinds = registering[0].kinds_in(files) | registering[1].kinds_in(files)
        if not kinds:
            return other
        sharing = registering[0].sharing(kinds) | registering[1].sharing(kinds)
        was, now = self._old.registered(sharing), new.registered(sharing)
        return other | {key for key in was.keys() | now.keys() if was.get(key) != now.get(key)}

    def _dispatching_otherwise(self, files: Set[int]) -> set[int]:
        """Return the files of functions for which `files` register other implementations."""
        before, after = _implementations(self._old, files), _implementations(self._new, files)
        keys = self._new.program.files.keys()
        return {file for file, *_ in before ^ after} & keys

    def _routed_otherwise(self, others: MroChanges) -> set[int]:
        """Return the files with routes that define or refer to classes whose HTTP methods changed,
        in the class itself or a superclass.
        """
        old, new = self._old, self._new
        classes = {*others.before} if not others.names.isdisjoint(HTTP_METHODS) else set[int]()
        for key, difference in self._differences.items():
            for name in (difference.names | difference.members).intersection(HTTP_METHODS):
                for one in (old, new):
                    owners = one.linker.evaluator.hierarchy.defining(name)
                    own = [n for n in owners if one.program.file_of(n) == key]
                    before = self._renumbering.before
                    classes.update(own if one is old else chain.from_iterable(map(before, own)))
        routes = (SharedKind.ROUTES,)
        routing = old.registering.sharing(routes) | new.registering.sharing(routes)
        if not classes or not routing:
            return set()
        inheriting = old.linker.evaluator.hierarchy.inheriting
        classes |= {below for number in classes for below in inheriting(number)}
        homes = {old.program.file_of(number) for number in classes}
        return routing & (homes | self._find.users(old.ids(classes)))

    def _note_shapes(self, found: ClassesBelow, others: MroChanges) -> None:
        """Note the members of classes that a different set of classes satisfies, since a method was
        added, removed or changed.
        """
        new, differences, renumbering = self._new, self._differences, self._renumbering
        names = {
            name
            for difference in differences.values()
            for name in difference.names | difference.members
        }
        for key in self._old.there(differences):
            rows = self._old.program.units[key].facts.definitions
            names |= {rows[local].name for local in differences[key].changed}
        old, hierarchy = self._old.linker.evaluator.hierarchy, new.linker.evaluator.hierarchy
        asking = {number for name in names for number in old.defining(name)}
        asking |= {
            before
            for name in names
            for number in hierarchy.defining(name)
            for before in renumbering.before(number)
        }
        asking |= {
            number
            for name in others.names - names
            for number in old.defining(name)
            if self._old.program.is_shape(number)
        }
        for number in asking | others.before:
            if not renumbering.is_left(number):
                continue
            before = renumbering.numbers({*old.descendants(number)})
            after = hierarchy.descendants(renumbering.number(number))
            differing = before ^ {one for one in after if not renumbering.is_new(one)}
            if number in others.above and differing <= others.after:
                continue  # their own bases changed
            if differing:
                for one in self._old.linker.evaluator.members.order(number):
                    if isinstance(one, int) and one < self._old.program.size:
                        found.note_members(self._old.program, self._old.linker, number=one)
                units = new.program.unit_of
                found.files.update(units[one].file.key for one in differing)


def files_forwarding(
    old: ProgramVersion,
    state: PropagationState,
    *,
    differences: Mapping[int, FileDifference],
    forwarding: Set[int],
    find: FileFinder,
) -> set[int]:
    """Return the files of the functions `forwarding` and of those that forward arguments to one of
    them or to one with changed parameters, and the files that refer to these.
    """
    others = {
        old.program.first_of[key] + local
        for key, difference in differences.items()
        for local in difference.reset
    } | forwarding
    found = forwarding | forwarders_of(others, state.forwardings) if others else set[int]()
    return {old.program.file_of(one) for one in found} | find.users(old.ids(found))


def _implementations(version: ProgramVersion, files: Set[int]) -> set[tuple[int, str, str]]:
    """Return (file of the function, its id, id of the implementation) as some files register them.

    Such a function dispatches to its implementations (Python's `singledispatch`).
    """
    program, nodes = version.program, version.linker.nodes
    found = set()
    for key in version.there(files):
        for pair in version.linker.evaluator.decorators.implementations_in(key):
            function, added = map(nodes.of_definition, pair)
            if pair[0] < program.size and function >= 0 and added >= 0:
                ids = nodes.node(function).id, nodes.node(added).id
                found.add((program.file_of(pair[0]), *ids))
    return found
