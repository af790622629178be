import re
import subprocess
import sys
from pathlib import Path

import pytest

from mu.syntax import Manifest, ManifestError, load_manifests
from mu.syntax.grammars import manifest
from unit.syntax.toy import Language

SECTIONS = {
    "annotations": manifest.AnnotationStyle,
    "tests": manifest.TestConventions,
    "comments": manifest.CommentMarks,
    "macros": manifest.Macros,
}


def read_toy(language: Language, more: str = "") -> Manifest:
    language.write_manifest(more)
    return load_manifests()["toy"]


def test_manifest_says_what_is_written(language: Language) -> None:
    toy = read_toy(
        language,
        'member_separator = "::"\n[annotations]\nquoted = true\n[tests]\nfiles = ["t_*", "*_t"]\n',
    )

    assert toy == Manifest(
        name="toy",
        extensions=(".toy",),
        grammar="tree_sitter_python",
        level="deep",
        member_separator="::",
        annotations=manifest.AnnotationStyle(quoted=True),
        tests=manifest.TestConventions(files=("t_*", "*_t")),
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("colour = 1", "toy/language.toml: unknown key `colour`"),
        ("[tests]\nfile = []", "toy/language.toml: unknown key `file`"),
        ("[annotations]\nquotes = true", "toy/language.toml: unknown key `quotes`"),
        ("tests = 3", "toy/language.toml: "),
        ("[[annotations]]\nquoted = true", "toy/language.toml: "),
        ('shebangs = "sh"', "toy/language.toml"),
        ("shebangs = [1]", "toy/language.toml"),
        ("member_separator = 1", "toy/language.toml"),
        ("[annotations]\nquoted = 1", "toy/language.toml"),
        ("no toml", "toy/language.toml"),
        ('name = "twice"', "toy/language.toml"),
        (
            'extends = "none"',
            "toy/language.toml: `extends` names none, not another language",
        ),
        (
            'extends = "toy"',
            "toy/language.toml: `extends` names toy, not another language",
        ),
    ],
)
def test_mistake_in_a_manifest_names_its_file(language: Language, more: str, message: str) -> None:
    with pytest.raises(ManifestError) as raised:
        read_toy(language, more)

    assert raised.value.message.startswith(message)


def test_unknown_key_is_told_with_the_known_ones(language: Language) -> None:
    with pytest.raises(ManifestError) as raised:
        read_toy(language, "[annotations]\nquotes = true")

    assert raised.value.hint == "known keys: calls, first_only, opaque, quoted"


def test_manifest_without_a_needed_key_is_a_mistake(language: Language) -> None:
    path = language.folder / "grammars" / "toy" / "language.toml"
    path.write_text('name = "toy"\n', encoding="utf-8")

    with pytest.raises(ManifestError, match="extensions"):
        load_manifests()


def test_shipped_languages_have_the_names_of_their_folders(root: Path) -> None:
    manifests = load_manifests()

    assert list(manifests) == sorted(path.parent.name for path in root.glob("grammars/*/*.toml"))
    assert all(name == shipped.name for name, shipped in manifests.items())


def test_listing_languages_loads_no_grammar() -> None:
    code = (
        "import sys; from mu.syntax.grammars.manifest import load_manifests; load_manifests(); "
        "sys.exit(any(name.startswith('tree_sitter_') for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_page_tells_every_key_and_no_other(root: Path) -> None:
    page = (root / "grammars" / "README.md").read_text(encoding="utf-8")
    keys = {*Manifest.__struct_fields__} - set(SECTIONS)
    keys |= {f"{name}.{key}" for name, shape in SECTIONS.items() for key in shape.__struct_fields__}

    told = re.findall(r"^\| `([\w.]+)` \| \w[^|]* \| \w[^|]* \|$", page, re.MULTILINE)

    assert sorted(told) == sorted(keys)
