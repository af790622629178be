"""Edits after which the phases over the whole program say something else are updates, too."""

from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit, write_files

FILES = {
    "shop/kinds.py": """
        class Plain:
            def __init__(self, size):
                self.size = size


        class Fancy(Plain):
            def wrap(self): ...


        Kind = Plain
    """,
    "shop/coupon.py": """
        from shop.kinds import Kind


        class Coupon(Kind):
            def cut(self): ...


        def first():
            return Coupon(3).cut()
    """,
    "shop/told.py": """
        from django.dispatch import Signal

        sold = Signal()


        def send():
            sold.send(sender=None)
    """,
    "shop/wire.py": """
        def listen(handler):
            return handler()


        class Radio:
            def tune(self): ...
    """,
    "shop/loud.py": """
        from shop.wire import Radio, listen


        def shout(): ...


        def start():
            listen(shout)
            Radio().tune()
    """,
    **{f"shop/other{n}.py": f"def other{n}():\n    return other{n}\n" for n in range(9)},
}
BLOCKS = {
    "Cargo.toml": '[package]\nname = "cart"\n',
    "src/lib.rs": "pub mod turning;\npub mod wheel;\n",
    "src/turning.rs": """
        use crate::wheel::{Turn, Wheel};

        impl Turn for Wheel {
            fn turn(&self) {
                println!("wobbly wheel");
            }
        }
    """,
    "src/wheel.rs": """
        pub trait Turn {
            fn turn(&self);
        }

        pub struct Wheel;

        impl Wheel {
            // a squeaky wheel
            pub fn squeak(&self) {
                println!("squeaky wheel");
            }
        }
    """,
}
HANDLER = """
    from django.dispatch import receiver
    from shop.told import sold

    @receiver(sold)
    def tell(sender, **rest):
        print(sender)
"""
EDITS = {
    "base that another file names": ("shop/kinds.py", "Kind = Plain", "Kind = Fancy"),
    "base": ("shop/kinds.py", "class Fancy(Plain)", "class Fancy"),
    "function that is passed no more": ("shop/loud.py", "listen(shout)", "pass"),
    "class without instances": ("shop/loud.py", "Radio().tune()", "pass"),
    "file that is gone": ("shop/loud.py", None, None),
    "file that is emptied": ("shop/kinds.py", None, ""),
    "handler of what another file sends": ("shop/tell.py", None, dedent(HANDLER)),
}


@pytest.mark.parametrize("name", EDITS)
def test_files_that_see_a_difference_are_linked_again(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    edit(root, *EDITS[name])
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated
    edit(root, "shop/told.py", "sender=None", "sender=sold")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("src/turning.rs", "use crate", "\nuse crate"),
        ("src/turning.rs", "fn turn", "// a wobbly turn\n    fn turn"),
        ("src/wheel.rs", "    // a squeaky wheel\n", ""),
        ("src/wheel.rs", "pub struct", "// a round wheel\npub struct"),
    ],
)
def test_blocks_that_add_to_types_say_it_of_these(
    root: Path, settings: BuildSettings, name: str, old: str, new: str
) -> None:
    write_files(root, BLOCKS)
    build(root, settings)
    edit(root, name, old, new)
    check_is_as_built(root, settings, build(root, settings))


TRAITS = {
    "Cargo.toml": '[package]\nname = "cart"\n',
    "src/lib.rs": "pub mod wheel;\npub mod brake;\npub mod turning;\npub mod sizes;\n",
    "src/wheel.rs": """
        pub trait Turn {
            fn turn(&self);
            fn spin(&self) {}
        }
        pub trait Mark {}
        pub struct Wheel;
        pub struct Size;
        pub fn roll(wheel: &Wheel) {
            wheel.turn();
        }
    """,
    "src/turning.rs": """
        use crate::wheel::{Turn, Wheel};
        impl Turn for Wheel {
            fn turn(&self) {
                println!("wobbly wheel");
            }
        }
    """,
    "src/brake.rs": """
        use crate::wheel::{Mark, Wheel};
        impl Mark for Wheel {}
    """,
    "src/sizes.rs": """
        use crate::wheel::{Size, Wheel};
        impl Wheel {
            pub const LARGE: Size = Size;
        }
    """,
    **{f"src/other{n}.rs": f"pub fn other{n}() {{\n    other{n}()\n}}\n" for n in range(40)},
}
TOLD_ELSEWHERE = {
    "body of a block": ("src/turning.rs", "println", "Wheel.spin(); println"),
    "line above the type": ("src/wheel.rs", "pub trait Turn", "// a turn\npub trait Turn"),
    "line above a block": ("src/turning.rs", "impl Turn", "\nimpl Turn"),
    "line above a block without members": ("src/brake.rs", "impl Mark", "\nimpl Mark"),
    "line above a constant": ("src/sizes.rs", "impl Wheel", "\nimpl Wheel"),
    "other trait": ("src/brake.rs", "impl Mark for", "impl Turn for"),
    "block that is gone": ("src/brake.rs", "impl Mark for Wheel {}", ""),
    "file of a block that is gone": ("src/brake.rs", None, None),
    "type that is gone": ("src/wheel.rs", "pub struct Wheel;", ""),
    "block that is new": (
        *(
            "src/other1.rs",
            "pub fn",
            "use crate::wheel::{Mark, Size};\nimpl Mark for Size {}\npub fn",
        ),
    ),
}


@pytest.mark.parametrize("name", TOLD_ELSEWHERE)
def test_what_types_implement_elsewhere_is_linked_again_with_them(
    root: Path, settings: BuildSettings, name: str
) -> None:
    write_files(root, TRAITS)
    build(root, settings)
    edit(root, *TOLD_ELSEWHERE[name])
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated


def test_nodes_that_go_and_come_in_other_files_have_their_edges(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    (root / "shop/other1.py").rename(root / "shop/another.py")
    edit(
        root, "shop/other8.py", "def other8", "class Late:\n    def late(self): ...\n\n\ndef other8"
    )
    edit(root, "shop/other2.py", None, "")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated == 4


def test_what_was_found_of_the_same_program_with_other_keys_is_not_taken(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    edit(root, *EDITS["handler of what another file sends"])
    build(root, settings)  # the key of the new file is the last one
    anew = root.with_name("anew")  # here it is not, and the cache is the same
    build(root, replace(settings, is_full=True), graph_file=anew)
    edit(root, "shop/told.py", "sender=None", "sender=sold")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated


def test_bases_are_compared_by_what_parameters_hold_in_the_end(
    root: Path, settings: BuildSettings
) -> None:
    store = """
        export class Store {
          count() {}
        }

        export function change(to) {
          return to(new Store());
        }
    """
    use = """
        import { change } from "./store.js";

        change((state) => ({ ...state, size: state.count() }));
    """
    other = "export function other() {}\n"
    write_files(root, {"web/store.js": store, "web/use.js": use, "web/other.js": other})
    build(root, settings)
    edit(root, "web/other.js", "{}\n", "{}\nexport function count() {}\n")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated == 1  # nothing refers to what came


CROWD = {
    "shop/kinds.py": "".join(f"class Kind{n}:\n    def tell(self): ...\n\n\n" for n in range(10)),
    "shop/chain.py": """
        from shop.kinds import *


        def last(x):
            return x.tell()


        def middle(x):
            last(x)


        def first(x):
            middle(x)


        last(Kind0())
        last(Kind1())
        last(Kind2())
        last(Kind3())
        last(Kind4())
        last(Kind5())
        last(Kind6())
        last(Kind7())
    """,
    "shop/text.py": """
        from shop.chain import first

        first("handed on too late to count")
    """,
}
NINTH = "from shop.kinds import Kind8\nfrom shop.chain import last\n\nlast(Kind8())\n"
TENTH = NINTH.replace("Kind8\n", "Kind8, Kind9\n") + "last(Kind9())\n"
CROWDED = {
    "one less of too many": (TENTH, ("shop/ninth.py", "last(Kind9())", "pass"), 1),
    "one more than are kept": ("", ("shop/ninth.py", None, NINTH), 1),
    "another one of too many": (NINTH, ("shop/chain.py", "last(Kind0())", "last(Kind9())"), 1),
    "no more than are kept": (NINTH, ("shop/ninth.py", "last(Kind8())", "pass"), 0),
    "file with one that is gone": (NINTH, ("shop/ninth.py", None, None), 0),
}


@pytest.mark.parametrize("name", CROWDED)
def test_parameters_with_too_many_values_are_counted_as_from_scratch(
    root: Path, settings: BuildSettings, name: str
) -> None:
    ninth, change, count = CROWDED[name]
    write_files(root, {**CROWD, "shop/ninth.py": ninth})
    build(root, settings)
    edit(root, *change)
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated
    assert [one.count for one in report.limits] == [count] * bool(count)


def test_arguments_of_classes_that_are_gone_are_not_counted(
    root: Path, settings: BuildSettings
) -> None:
    write_files(root, {**CROWD, "shop/ninth.py": NINTH})
    build(root, settings)
    edit(root, "shop/kinds.py", "class Kind8:\n    def tell(self): ...\n", "")
    edit(root, "shop/ninth.py", NINTH, "")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert not report.limits


def test_files_that_import_from_the_folder_above_see_what_it_gives_out_no_more(
    root: Path, settings: BuildSettings
) -> None:
    edit(root, "web/index.ts", None, 'export { tagged } from "outside";\n')
    edit(root, "web/inner/use.ts", None, 'import { tagged } from "..";\n\ntagged();\n')
    build(root, settings)
    edit(root, "web/index.ts", "tagged", "other")
    check_is_as_built(root, settings, build(root, settings))


def test_files_of_other_languages_that_name_what_is_imported_are_not_in_the_way(
    root: Path, settings: BuildSettings
) -> None:
    edit(root, "web/index.js", None, "export function load(json) {\n  return json;\n}\n")
    build(root, settings)
    edit(root, "shop/told.py", "from", "import json\nfrom")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated
