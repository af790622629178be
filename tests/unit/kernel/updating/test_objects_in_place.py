"""Objects and functions that are written in place, and have no node of their own."""

from pathlib import Path

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.resolve.limits import MOST_CANDIDATES, MOST_VALUES
from support.updated_graphs import check_is_as_built, edit, linked_functions, write_files

MANY = "\n".join(f"class Part{number} {{ draw() {{}} }}" for number in range(MOST_CANDIDATES))
FILES = {
    "shop/parts.ts": f"{MANY}\n",
    "shop/show.ts": """
        export function show(thing: any) {
          thing.draw()
        }
        """,
    "shop/shapes.ts": """
        export class Leaf {
          grow() {}
        }
        export class Twig {
          grow() {}
        }
        """,
    "shop/pick.ts": """
        import { Leaf, Twig } from './shapes'

        export function pick() {
          return new Leaf()
        }
        """,
    "shop/tree.ts": """
        import { pick } from './pick'

        export function plant(size: number) {
          return { size, top: pick() }
        }
        """,
    "shop/climb.ts": """
        import { plant } from './tree'

        export function climb() {
          plant(1).top.grow()
        }
        """,
    "shop/measure.ts": """
        import { plant } from './tree'

        export function measure() {
          return plant(1).size
        }
        """,
    "shop/saw.ts": """
        import { Leaf } from './shapes'

        function each(name: string, make: () => any) {
          return [make()]
        }

        export function saw() {
          return each('oak', () => new Leaf())
        }

        export function sharpen() {
          return 1
        }
        """,
    "shop/shed.ts": """
        import { saw, sharpen } from './saw'

        export function tidy() {
          sharpen()
        }

        export function cut() {
          saw()[0].grow()
        }
        """,
    "tests/show.spec.ts": """
        import { show } from '../shop/show'

        describe('show', () => {
          it('draws', () => {
            show(1)
          })
        })
        """,
}


def test_a_method_of_one_more_object_alters_no_file_that_has_its_name(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    edit(root, "tests/show.spec.ts", "show(1)", "show(1)\n    const one = { draw() {} }")

    with linked_functions("shop/show.ts") as linked:
        report = build(root, settings)

    assert report.updated
    assert not linked
    check_is_as_built(root, settings, report)


def test_readers_of_a_member_that_gives_something_else_are_linked(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    for old, new in (("new Leaf()", "new Twig()"), ("new Twig()", "new Leaf()")):
        edit(root, "shop/pick.ts", old, new)

        with (
            linked_functions("shop/climb.ts") as climbing,
            linked_functions("shop/measure.ts") as measuring,
        ):
            report = build(root, settings)

        assert report.updated
        assert climbing
        assert not measuring
        check_is_as_built(root, settings, report)


def test_a_function_that_is_passed_beside_something_else_is_another_one(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    for old, new in (("oak", "elm"), ("elm", "oak")):
        edit(root, "shop/saw.ts", old, new)

        with linked_functions("shop/shed.ts") as linked:
            report = build(root, settings)

        assert report.updated
        assert all("tidy" not in one for one in linked)
        check_is_as_built(root, settings, report)


def test_objects_without_a_name_are_counted_one_by_one(root: Path, settings: BuildSettings) -> None:
    calls = "\n".join(
        f"case{number}(() => {{ keep({{ open: () => {number} }}) }})"
        for number in range(MOST_VALUES + 2)
    )
    write_files(
        root,
        {
            "shop/keep.ts": "export function keep(options: any) {\n  return options.open()\n}\n",
            "shop/cases.ts": f"import {{ keep }} from './keep'\n\n{calls}\n",
            "shop/last.ts": "import { keep } from './keep'\n\nkeep({ open: () => 0 })\n",
        },
    )
    build(root, settings)
    for old, new in (("keep({", "note({"), ("note({", "keep({")):
        edit(root, "shop/last.ts", old, new)
        report = build(root, settings)
        assert report.updated is not None
        assert [(limit.name, limit.count) for limit in report.limits] == [("arguments", 1)]
        check_is_as_built(root, settings, report)
