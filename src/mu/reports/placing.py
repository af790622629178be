"""Which file of the graph a path in a report means.

A report may have been made in another folder than the graph, such as the one of a build server, or
in a folder below the root. So when no path fits as it is, one prefix is looked for that all paths
have too much, or too little; the one by which most paths fit is taken, and a tie is not decided.
"""

import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePath


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
    fitting: dict[tuple[str, str], dict[str, str]] = {}
    for path, text in clean.items():
        for candidate in by_name.get(posixpath.basename(text), ()):
            if text.endswith(f"/{candidate}"):
                prefix = ("more", text.removesuffix(candidate))
            elif candidate.endswith(f"/{text}"):
                prefix = ("less", candidate.removesuffix(text))
            else:
                continue
            fitting.setdefault(prefix, {})[path] = candidate
    votes = Counter({prefix: len(found) for prefix, found in fitting.items()}).most_common(2)
    if not votes or (len(votes) == 2 and votes[0][1] == votes[1][1]):
        return {}
    return fitting[votes[0][0]]
