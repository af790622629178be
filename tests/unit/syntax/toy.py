"""A language made up for a test: its data files in a folder of their own."""

from pathlib import Path

from mu.syntax.matching.vocabulary import FILE_QUERIES, NODE_QUERIES


class Language:
    """The data files of a made-up language `toy`, which is written as Python is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("grammars", "queries"):
            (folder / name / "toy").mkdir(parents=True)
        self.write_manifest()
        for query in (*FILE_QUERIES, *NODE_QUERIES):
            self.write_query(query, "")

    def write_manifest(self, more: str = "", *, grammar: str = "tree_sitter_python") -> None:
        """Write `language.toml`: what is needed, then `more`."""
        needed = f'name = "toy"\nextensions = [".toy"]\ngrammar = "{grammar}"\nlevel = "deep"\n'
        path = self.folder / "grammars" / "toy" / "language.toml"
        path.write_text(needed + more, encoding="utf-8")

    def write_query(self, name: str, text: str) -> None:
        """Write the patterns of one query file."""
        path = self.folder / "queries" / "toy" / f"{name}.scm"
        path.write_text(text, encoding="utf-8")
