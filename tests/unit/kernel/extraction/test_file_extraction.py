"""What a worker gives for a file is the same with facts that are kept and without."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec

from mu.kernel.extraction import file_extraction
from mu.kernel.extraction.file_extraction import Configuration, Request, Result

FILES = {
    "a.py": ("python", "class A:\n    def f(self) -> 'A': ...\n"),
    "b.go": ("go", "package b\n\nfunc F() {}\n"),
    "c.vue": ("vue", "<script>\nexport function f() {}\n</script>\n"),
    "d.md": ("markdown", "# D\n\ntext\n"),
    "e.py": ("python", "def broken(:\n"),
    "f.py": ("python", "x = '\0'\n"),
}

NOT_LOADED = """
import sys
from mu.kernel.extraction import file_extraction
work = file_extraction.set_up(bytes.fromhex(sys.argv[1]))
work(bytes.fromhex(sys.argv[2]))
print("tree_sitter" in sys.modules)
"""


def results(root: Path, cache: Path | None) -> dict[str, Result]:
    work = file_extraction.set_up(configuration(root, cache))
    answers = {}
    for path, (language, text) in FILES.items():
        (root / path).write_text(text)
        payload = work(msgspec.msgpack.encode(Request(path, language)))
        answers[path] = msgspec.msgpack.decode(payload, type=Result)
    return answers


def configuration(root: Path, cache: Path | None, *, is_known: bool = False) -> bytes:
    folder = os.fsencode(cache) if cache else b""
    return msgspec.msgpack.encode(Configuration(os.fsencode(root), 1_000, folder, is_known))


def test_results_are_the_same_without_a_cache_with_an_empty_one_and_from_it(tmp_path: Path) -> None:
    plain = results(tmp_path, None)

    assert results(tmp_path, tmp_path / "cache") == plain
    assert len([path for path in (tmp_path / "cache").rglob("*") if path.is_file()]) == 5
    assert results(tmp_path, tmp_path / "cache") == plain
    assert plain["f.py"].reason == "binary"


def test_a_worker_that_finds_all_loads_no_parser(tmp_path: Path) -> None:
    results(tmp_path, tmp_path / "cache")

    def is_loaded(*, is_known: bool) -> str:
        told = configuration(tmp_path, tmp_path / "cache", is_known=is_known)
        asked = msgspec.msgpack.encode(Request("a.py", "python"))
        command = [sys.executable, "-c", NOT_LOADED, told.hex(), asked.hex()]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert is_loaded(is_known=True) == "False"
    assert is_loaded(is_known=False) == "True"
