"""The packages whose own tests are traced: their sources, and an environment for each."""

import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns, which

_LIST = Path(__file__).with_name("packages.toml")
_OLDEST = (3, 12)  # the first Python with sys.monitoring
_NAMES = ("python3.13", "python3.14", "python3.12")
_MANAGED = ".pyenv/versions/*/bin/python"  # under the home folder


class PreparationError(Exception):
    """A package's sources or environment cannot be made; the text has the last lines."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package at one version; `run` are the arguments for Python, from the top of its sources."""

    name: str
    version: str
    run: tuple[str, ...]
    requirements: tuple[str, ...]
    note: str = ""

    @property
    def label(self) -> str:
        return f"{self.name}-{self.version}"


def load_packages(names: Sequence[str] = (), listing: Path = _LIST) -> list[Package]:
    """Read the list; only the packages that are named, if any are."""
    rows = tomllib.loads(listing.read_text(encoding="utf-8"))
    unknown = sorted(set(names) - set(rows))
    if unknown:
        raise PreparationError(f"not in {listing.name}: {', '.join(unknown)}")
    return [
        Package(
            name,
            row["version"],
            tuple(row["run"]),
            tuple(row["requirements"]),
            row.get("note", ""),
        )
        for name, row in rows.items()
        if not names or name in names
    ]


def find_interpreter() -> str | None:
    """Find a Python that can trace; None where the machine has none."""
    named = [path for name in _NAMES if (path := which(name))]
    managed = sorted(map(str, Path.home().glob(_MANAGED)), reverse=True)
    return next((path for path in (sys.executable, *named, *managed) if _can_trace(path)), None)


def make_tree(package: Package, folder: Path, *, source: Path | None = None) -> Path:
    """Unpack the source release into the folder, once, or copy a tree that has the tests."""
    tree = folder / "sources" / package.label
    if tree.is_dir():
        return tree
    tree.parent.mkdir(parents=True, exist_ok=True)
    if source:
        return Path(copytree(source, tree, ignore=ignore_patterns(".git", ".mubase", ".venv")))
    download = folder / "downloads" / package.label
    pin = f"{package.name}=={package.version}"
    command = ["download", "--quiet", "--no-deps", "--no-binary", package.name]
    _run([sys.executable, "-m", "pip", *command, "--dest", str(download), pin])
    with tarfile.open(next(download.glob("*.tar.gz"))) as archive:
        archive.extractall(download, filter="data")
    return next(path for path in download.iterdir() if path.is_dir()).rename(tree)


def make_environment(package: Package, tree: Path, folder: Path, *, interpreter: str) -> Path:
    """Make the virtual environment, once, with the package editable; give its Python."""
    place = folder / "environments" / package.label
    python = place / "bin" / "python"
    finished = place / "finished"
    if not finished.exists():
        _run([interpreter, "-m", "venv", "--clear", str(place)])
        install = [str(python), "-m", "pip", "install", "--quiet"]
        _run([*install, *package.requirements])
        _run([*install, "--no-deps", "--editable", str(tree)])
        finished.touch()
    return python


def _can_trace(interpreter: str) -> bool:
    check = f"import sys; sys.exit(sys.version_info < {_OLDEST})"
    done = subprocess.run([interpreter, "-c", check], check=False, capture_output=True)
    return done.returncode == 0


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        tail = "\n".join((done.stderr or done.stdout).splitlines()[-8:])
        raise PreparationError(f"{' '.join(command)} ended with {done.returncode}:\n{tail}")
