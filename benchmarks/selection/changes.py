"""Changes to try on a clone: what a commit did taken back, and a small mistake where it wrote.

All work happens in a clone of the repository, whose files are those of the commit with the change
on top.
"""

import ast
import random
import re
import subprocess
from collections.abc import Iterator, Set
from pathlib import Path

from benchmarks.mutations.mutants import mutants_of

_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class Clone:
    """A clone of a repository in a scratch folder, with the sources below one of its folders."""

    def __init__(self, origin: Path, folder: Path, *, sources: str) -> None:
        subprocess.run(["git", "clone", "-q", str(origin), str(folder)], check=True)
        self.folder = folder
        self.sources = sources

    def commits(self, *, newest: int, seed: int) -> list[str]:
        """List the newest commits that change Python sources, without merges, shuffled by a seed.

        So the first few of them are drawn at random.
        """
        pattern = f"{self.sources}/*.py"
        found = self._git("log", "--no-merges", "--format=%H", f"-{newest}", "--", pattern).split()
        random.Random(seed).shuffle(found)
        return found

    def check_out(self, commit: str) -> None:
        """Put the files of a commit in place; what a change left is gone."""
        self._git("reset", "-q", "--hard")
        self._git("clean", "-qfdx")
        self._git("checkout", "-qf", commit)

    def changed_files(self, commit: str) -> list[str]:
        """List the Python sources that are in a commit and differ from its parent."""
        pattern = f"{self.sources}/*.py"
        told = self._git(
            "diff", "--name-only", "--diff-filter=AM", f"{commit}~1", commit, "--", pattern
        )
        return told.split()

    def take_back(self, commit: str) -> bool:
        """Take back what the commit that is checked out did to the sources; whether it could."""
        patch = self._git("diff", "--binary", commit, f"{commit}~1", "--", self.sources)
        command = ["git", "-C", str(self.folder), "apply", "--whitespace=nowarn"]
        return subprocess.run(command, input=patch.encode(), check=False).returncode == 0

    def make_mistake(self, commit: str) -> str:
        """Make one small mistake in lines that the commit wrote, and tell it; empty without one.

        Which one is drawn by the name of the commit.
        """
        found = []
        for path in self.changed_files(commit):
            lines = set(self._written_lines(commit, path))
            try:
                mutants = mutants_of(self.folder / path, self.folder)
            except (SyntaxError, ValueError):
                continue
            found += [one for one in mutants if one.line in lines]
        if not found:
            return ""
        chosen = random.Random(commit).choice(found)
        file = self.folder / chosen.path
        file.write_bytes(chosen.apply(file.read_bytes()))
        return str(chosen)

    def changed_functions(self) -> dict[str, list[int]]:
        """Give the functions whose lines differ from HEAD: their first lines, by absolute path."""
        found = {}
        for path in self._git("diff", "--name-only", "HEAD", "--", f"{self.sources}/*.py").split():
            file = self.folder / path
            if file.is_file():
                told = self._git("diff", "-U0", "HEAD", "--", path)
                lines = {
                    line
                    for first, count in _HUNK.findall(told)
                    for line in range(int(first), int(first) + max(1, int(count or 1)))
                }
                found[str(file.resolve())] = sorted(_functions_at(file.read_bytes(), lines))
        return found

    def _written_lines(self, commit: str, path: str) -> Iterator[int]:
        for first, count in _HUNK.findall(
            self._git("diff", "-U0", f"{commit}~1", commit, "--", path)
        ):
            yield from range(int(first), int(first) + int(count or 1))

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.folder), *arguments]
        told = subprocess.run(command, check=True, capture_output=True).stdout
        return told.decode("utf-8", "surrogateescape")


def _functions_at(text: bytes, lines: Set[int]) -> Set[int]:
    """Give the first lines of the innermost functions around lines, decorators included."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    inner: dict[int, int] = {}
    for node in ast.walk(tree):  # outer ones come first
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            for line in range(first, (node.end_lineno or first) + 1):
                inner[line] = first
    return {inner[line] for line in lines if line in inner}
