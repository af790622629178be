"""Blocks that add to a type which stands in another file."""

from pathlib import Path

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit, write_files


def test_comments_on_what_adds_to_a_type_elsewhere(root: Path, settings: BuildSettings) -> None:
    write_files(
        root,
        {
            "Cargo.toml": '[package]\nname = "jars"\nversion = "1.0.0"\n',
            "src/lib.rs": "mod shown;\npub struct Jar {\n    // sweet\n    pub jam: u8,\n}\n",
            "src/shown.rs": "use crate::Jar;\nimpl Jar {\n    // by its label\n\n"
            "    pub fn show(&self) {}\n}\n",
        },
    )
    build(root, settings)
    edit(root, "src/lib.rs", "// sweet", "// bitter")

    report = build(root, settings)

    assert report.updated
    check_is_as_built(root, settings, report)
