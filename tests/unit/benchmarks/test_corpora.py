"""Copies to measure on hold the sources and nothing else, and copies of copies stay apart."""

from pathlib import Path

from benchmarks.corpora import installed, multiply, stage


def make_tree(root: Path) -> Path:
    for path, text in {
        "shop/__init__.py": "",
        "shop/cart.py": "from shop.tax import rate\n",
        "shop/tax.py": "rate = 1\n",
        "tests/test_cart.py": "import shop.cart\n",
        "setup.py": "",
        "README.md": "shop",
        "build/out.py": "",
        ".gitignore": "build/\n",
    }.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root


def paths(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def test_copy_holds_what_would_be_indexed(tmp_path: Path) -> None:
    corpus = stage(make_tree(tmp_path / "in"), tmp_path / "out", exclude=("setup.py",))

    expected = {"shop/__init__.py", "shop/cart.py", "shop/tax.py", "tests/test_cart.py"}
    assert paths(tmp_path / "out") == expected
    assert {path for path, _ in corpus.files} == expected
    assert {grammar for _, grammar in corpus.files} == {"tree_sitter_python"}
    assert (corpus.lines, corpus.bytes) == (3, 26 + 9 + 17)


def test_thinned_copy_holds_every_second_file(tmp_path: Path) -> None:
    stage(make_tree(tmp_path / "in"), tmp_path / "out", step=2)

    assert paths(tmp_path / "out") == {"setup.py", "shop/cart.py", "tests/test_cart.py"}


def test_copies_side_by_side_import_themselves(tmp_path: Path) -> None:
    corpus = stage(make_tree(tmp_path / "in"), tmp_path / "one")

    double = multiply(corpus, tmp_path / "two", 2)

    assert len(double.files) == 2 * len(corpus.files)
    assert paths(tmp_path / "two") >= {"shop_0/cart.py", "shop_1/cart.py", "setup_1.py"}
    copied = (tmp_path / "two/shop_1/cart.py").read_text(encoding="utf-8")
    assert copied == "from shop_1.tax import rate\n"


def test_default_trees_are_there() -> None:
    for folder, _ in installed().values():
        assert any(folder.glob("*.py"))
