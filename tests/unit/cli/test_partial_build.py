"""What a build says of a file that an error of MU's kept from being linked."""

from dataclasses import replace
from pathlib import Path

import pytest

from mu.cli import main
from mu.errors import ExitCode
from mu.languages import python
from mu.languages.python.module_names import PythonModuleNames


class FaultyNames(PythonModuleNames):
    """Those of Python, with an error for one name."""

    def builtin(self, name: str) -> str | None:
        if name == "explode":
            raise KeyError(name)
        return super().builtin(name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good file and a bad one."""
    monkeypatch.setattr(python, "RULES", replace(python.RULES, modules=FaultyNames()))
    for name in ("CACHE", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    root = tmp_path / "shop"
    root.mkdir()
    (root / "good.py").write_text("def run():\n    return 1\n", encoding="utf-8")
    (root / "bad.py").write_text("import good\n\nexplode()\ngood.run()\n", encoding="utf-8")
    return root


def test_a_file_that_could_not_be_linked_is_named_and_makes_the_build_partial(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["kernel", "build", str(folder)]) == ExitCode.PARTIAL
    shown = capsys.readouterr()
    assert (
        "1 file with problems (mu query @parse_problems), 1 file not linked in full\n" in shown.out
    )
    assert f"not linked in full: bad.py: an error of MU's, KeyError in {__name__}, " in shown.err


def test_a_partial_graph_is_built_anew_though_nothing_changed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["kernel", "build", str(folder)]) == ExitCode.PARTIAL
    monkeypatch.setattr(python, "RULES", replace(python.RULES, modules=PythonModuleNames()))
    assert main(["kernel", "build", str(folder)]) == ExitCode.OK
    assert capsys.readouterr().out.splitlines()[-1].startswith("built .mubase")
