import shutil
from pathlib import Path

import pytest
from benchmarks.accuracy.bytecode import main

FILES = {
    "app/Shape.java": "package app;\npublic interface Shape {\n    double area();\n}\n",
    "app/Circle.java": (
        "package app;\nclass Circle implements Shape {\n"
        "    public double area() {\n        return 1;\n    }\n}\n"
    ),
    "app/tool/Main.java": (
        "package app.tool;\nimport app.Shape;\nclass Main {\n"
        "    static double run(Shape shape) {\n        return help(shape.area());\n    }\n"
        "    static double help(double value) {\n        return value;\n    }\n}\n"
    ),
}


@pytest.fixture(name="folder")
def folder_fixture(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.skipif(shutil.which("javac") is None, reason="needs a JDK")
def test_graph_agrees_with_the_class_files(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(folder), "--missed"]) == 0

    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "calls right 2 of 2 (100.0 %), found 2 of 2 (100.0 %)",
        "inheritance right 1 of 1 (100.0 %), found 1 of 1 (100.0 %)",
        "imports by name found 1 of 1 (100.0 %)",
    ]


def test_without_a_jdk_it_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(folder))

    assert main([str(folder)]) == 0
    assert capsys.readouterr().out == "no JDK here: nothing to compare with\n"
