"""The built wheel works by itself, away from the repository it was built in."""

import json
import os
import site
import subprocess
import sys
import venv
from pathlib import Path

import pytest

SOURCE = {
    "shop/__init__.py": "",
    "shop/prices.py": "def tax(amount):\n    return amount\n",
    "shop/till.py": "from shop.prices import tax\n\n\ndef total(amount):\n    return tax(amount)\n",
}


@pytest.fixture(scope="module")
def installed(distributions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of a new environment that holds the wheel.

    The wheel's dependencies are lent to it by path, so that the test needs no network; MU's own
    editable install is not, because it hangs on a `.pth` file, which a lent path does not run.
    """
    environment = tmp_path_factory.mktemp("installed")
    venv.create(environment, with_pip=False, symlinks=True)
    [wheel] = distributions.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python")]
    options = ["--no-deps", "--no-index", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", *options, str(wheel)], check=True)
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "lent.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    return environment / "bin"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small repository to build a graph of."""
    for name, text in SOURCE.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "project"


def test_installed_package_is_not_the_editable_one(installed: Path, root: Path) -> None:
    code = "import mu, mu.bundle; print(mu.__file__, mu.bundle.queries())"

    shown = _run([installed / "python", "-c", code], installed)

    assert str(root) not in shown
    assert "_bundled" in shown


@pytest.mark.parametrize("name", ["mu", "mubase"])
def test_console_script_shows_its_help(installed: Path, name: str) -> None:
    assert "Usage:" in _run([installed / name, "--help"], installed)


def test_graph_is_built_and_asked(installed: Path, project: Path) -> None:
    _run([installed / "mu", "kernel", "build"], project)

    answer = _run([installed / "mu", "callers", "tax", "--format", "json"], project)

    assert [row[0] for row in json.loads(answer)["rows"]] == ["fn:shop/till.py:total"]


def test_nothing_in_the_graph_tells_where_it_was_built(installed: Path, project: Path) -> None:
    _run([installed / "mu", "kernel", "build"], project)

    export = _run([installed / "mu", "kernel", "export", "--format", "json"], project)

    assert json.loads(export)["nodes"]
    assert str(project) not in export
    assert os.fsencode(project) not in (project / ".mubase").read_bytes()


def _run(command: list[object], folder: Path) -> str:
    kept = {"PATH", "HOME", "LANG", "TMPDIR"}
    environment = {name: value for name, value in os.environ.items() if name in kept}
    result = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout
