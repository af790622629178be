"""Which file of the graph a path in a report means.

A report may have been made in another folder than the graph, such as the one of a build server, or
in a folder below the root. So when no path fits as it is, one prefix is looked for that all paths
have too much, or too little; the one by which most paths fit is taken, and a tie is not decided.
Where there is none, one prefix may stand in the place of another, as `site-packages` does for `src`
when an installed package was run: two files at least have to fit by the same two.
"""

import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePath

_LEAST = 2

_Fitting = dict[tuple[str, str], dict[str, str]]
"""What two prefixes, in the graph and in the report, make fit: paths of the graph by reported."""


def place_paths(reported: Iterable[str], known: Collection[str], *, root: str) -> Mapping[str, str]:
    """Give the path in the graph of each reported path that has one.

    `known` are the paths of the graph, and `root` is the absolute folder that they start from.
    """
    clean = {path: _clean(path, root) for path in reported}
    direct = {path: text for path, text in clean.items() if text in known}
    return direct or _by_prefix(clean, known)


def _clean(path: str, root: str) -> str:
    """Give a path with `/`, from the root where it lies below it."""
    text = posixpath.normpath(path.replace("\\", "/"))
    return text.removeprefix(PurePath(root).as_posix().rstrip("/") + "/")


def _by_prefix(clean: Mapping[str, str], known: Collection[str]) -> Mapping[str, str]:
    by_name: dict[str, list[str]] = {}
    for path in known:
        by_name.setdefault(posixpath.basename(path), []).append(path)
    simple: _Fitting = {}
    double: _Fitting = {}
    for path, text in clean.items():
        for candidate in by_name.get(posixpath.basename(text), ()):
            ours, theirs, shared = _without_common_end(candidate, text)
            if not ours or not theirs:
                simple.setdefault((ours, theirs), {})[path] = candidate
            elif shared > 1:
                double.setdefault((ours, theirs), {})[path] = candidate
    return _most(simple) if simple else _most(double, least=_LEAST)


def _without_common_end(one: str, other: str) -> tuple[str, str, int]:
    """Cut off the last parts of two paths that are the same; gives the rest, and their number."""
    ours, theirs = one.split("/"), other.split("/")
    shared = 0
    while ours and theirs and ours[-1] == theirs[-1]:
        ours.pop()
        theirs.pop()
        shared += 1
    return "/".join(ours), "/".join(theirs) or "/" * len(theirs), shared


def _most(fitting: _Fitting, *, least: int = 1) -> Mapping[str, str]:
    votes = Counter({prefix: len(found) for prefix, found in fitting.items()}).most_common(2)
    if not votes or votes[0][1] < least or (len(votes) == 2 and votes[0][1] == votes[1][1]):
        return {}
    return fitting[votes[0][0]]
