"""Route prefixes: full URL patterns of mounted routers.

Routes belong to a router (an application, a blueprint, a router, a list in a module), and routers
are mounted on others under a prefix. A router that is mounted nowhere and is no application has an
unknown prefix, written as `*`.
"""

from typing import NamedTuple

from mu.resolve.limits import MOST_MOUNTS

UNKNOWN = "*"

RouterKey = tuple[object, ...]
"""The key that identifies a router."""


class Route(NamedTuple):
    """One route as registered; `pattern` is None if it is not constant.

    `holder` is its router, `number` the handler. `owner` is (file, definition within it, or -1)
    around the registration.
    """

    holder: RouterKey | None
    number: int
    owner: tuple[int, int]
    method: str
    pattern: str | None
    framework: str
    path: str
    line: int


class Mounted(NamedTuple):
    """A mount on another router; `prefix` is None if it is not constant.

    `replaces` says that a prefix replaces the router's own, and is not joined with it.
    """

    into: RouterKey | None
    prefix: str | None
    replaces: bool


class Routing:
    """Collects routes and mounts, and composes full patterns."""

    def __init__(self) -> None:
        self.routes: list[Route] = []
        self._mounts: dict[RouterKey, list[Mounted]] = {}
        self._roots: set[RouterKey] = set()
        self._prefixes: dict[RouterKey, str | None] = {}
        self._joined: set[str] = set()

    def mount(self, holder: RouterKey, mounted: Mounted) -> None:
        """Record a mount of a router; of one router, at most `MOST_MOUNTS` are kept."""
        known = self._mounts.setdefault(holder, [])
        if mounted not in known and len(known) < MOST_MOUNTS:
            known.append(mounted)

    def know(self, holder: RouterKey, *, is_root: bool, prefix: str | None) -> None:
        """Record a router's own prefix, and whether it is a root, which needs no mount."""
        if is_root:
            self._roots.add(holder)
        self._prefixes[holder] = prefix

    def is_mounted(self, holder: RouterKey) -> bool:
        """Return whether a mount of a router is known."""
        return holder in self._mounts

    def join_by_slash(self, framework: str) -> None:
        """Record that a framework joins prefix and pattern by one slash."""
        self._joined.add(framework)

    def labels(self, route: Route) -> list[str]:
        """Return the full patterns of a route, one per mount; `[""]` if its own is not constant."""
        if route.pattern is None:
            return [""]
        is_joined = route.framework in self._joined
        prefixes = [UNKNOWN] if route.holder is None else self._under(route.holder, is_joined, ())
        found = [_joined(prefix, route.pattern, is_joined) for prefix in prefixes]
        found = [text if text.startswith(("/", UNKNOWN)) else f"/{text}" for text in found]
        return list(dict.fromkeys(found))[:MOST_MOUNTS]

    def _under(
        self, holder: RouterKey, is_joined: bool, inside: tuple[RouterKey, ...]
    ) -> list[str]:
        """Return the full prefixes of a router; `inside` are the routers visited before it."""
        own = self._prefixes.get(holder, "")
        if holder in self._roots and holder not in self._mounts:
            return [own or ""]
        if holder in inside:
            return []
        found: list[str] = []
        for into, prefix, replaces in self._mounts.get(holder, ()):
            parts = (prefix,) if replaces and prefix else (prefix, own)
            outer = [UNKNOWN] if into is None else self._under(into, is_joined, (*inside, holder))
            for before in outer[:MOST_MOUNTS]:
                text = before
                for part in parts:
                    text = UNKNOWN if part is None else _joined(text, part, is_joined)
                found.append(text)
        if not found:
            return [UNKNOWN if own is None else _joined(UNKNOWN, own, is_joined)]
        return found[:MOST_MOUNTS]


def _joined(prefix: str, pattern: str, is_joined: bool) -> str:
    if not is_joined or not prefix or not pattern:
        return prefix + pattern.removeprefix("^")
    return f"{prefix.rstrip('/')}/{pattern.lstrip('/')}"
