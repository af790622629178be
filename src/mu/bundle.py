"""Find the data files that ship with MU: language descriptions and queries.

They lie in `mu/_bundled` of an installed wheel and at the repository root of an editable install.
No other module builds such a path.
"""

from pathlib import Path

from mu.errors import MuError

_PACKAGE = Path(__file__).resolve().parent


def grammars(package: Path = _PACKAGE) -> Path:
    """Return the folder with one folder for each language that MU knows.

    `package` is the folder of the installed `mu`. Raises MuError when the installation lacks it.
    """
    return _find("grammars", package)


def queries(package: Path = _PACKAGE) -> Path:
    """Return the folder with the `.scm` files of each language; otherwise like `grammars`."""
    return _find("queries", package)


def _find(name: str, package: Path) -> Path:
    installed = package / "_bundled" / name
    if installed.is_dir():
        return installed
    repository = package.parents[1]
    if package.parent.name == "src" and (repository / name).is_dir():
        return repository / name
    raise MuError(
        f"the data folder {name!r} of this installation is missing",
        "reinstall it: pip install --force-reinstall mubase",
    )
