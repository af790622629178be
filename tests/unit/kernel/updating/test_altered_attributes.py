"""Attributes that are set outside of classes: readers are linked where they are given others."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit, linked_functions, write_files

FILES = {
    "shop/parts.py": """
        import argparse


        class Cash:
            def pay(self): ...


        class Card:
            def pay(self): ...


        class Till: ...


        class Front(Till): ...


        def job(): ...


        def options() -> argparse.Namespace: ...
        """,
    "shop/make.py": """
        import shop.parts
        from shop.parts import *


        def make():
            front = Front()
            front.kind = Cash()
            job.kind = Cash()
            options().kind = Cash()
            return front


        def make_again(front: Front):
            front.kind = Cash()
        """,
    "shop/tell.py": """
        import shop.parts

        shop.parts.kind = shop.parts.Cash()
        """,
    "shop/use.py": """
        import shop.parts
        from shop.parts import *


        def use(front: Front):
            front.kind.pay()


        def use_any(till: Till):
            till.kind.pay()


        def use_job():
            job.kind.pay()


        def use_options():
            options().kind.pay()


        def use_module():
            shop.parts.kind.pay()
        """,
}

OF_MAKE = "front.kind = Cash()\n    job"
SETTING = {
    "of an instance": (("shop/make.py", OF_MAKE, "front.kind = Card()\n    job"), {"use"}),
    "of an instance once more": (
        *(("shop/make.py", OF_MAKE, "front.kind = Cash()\n    front.kind = Cash()\n    job"),),
        set[str](),
    ),
    "of an instance in one place less": (
        *(("shop/make.py", "(front: Front):\n    front.kind = Cash()", "(front: Front): ..."),),
        set[str](),
    ),
    "of the class above": (("shop/make.py", OF_MAKE, "Till().kind = Card()\n    job"), {"use_any"}),
    "of a function": (("shop/make.py", "job.kind = Cash", "job.kind = Card"), {"use_job"}),
    "of what is of the library": (
        *(("shop/make.py", "options().kind = Cash", "options().kind = Card"), {"use_options"}),
    ),
    "of a module": (("shop/tell.py", "= shop.parts.Cash", "= shop.parts.Card"), {"use_module"}),
    "past what there are followed": (
        *(("shop/make.py", "    return front", "    front.kind = 1\n" * 62 + "    return front"),),
        {"use"},
    ),
}


@pytest.mark.usefixtures("_unbounded")
@pytest.mark.parametrize(("change", "readers"), SETTING.values(), ids=SETTING)
def test_readers_are_linked_where_they_are_given_others(
    root: Path, settings: BuildSettings, change: tuple[str, str, str], readers: set[str]
) -> None:
    build(root, settings)
    name, old, new = change
    for before, after in ((old, new), (new, old)):
        edit(root, name, before, after)
        with linked_functions("shop/use.py") as linked:
            report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)
        assert readers <= set[str]().union(*linked)
        assert readers or not linked


@pytest.mark.usefixtures("_unbounded")
@pytest.mark.parametrize(("old", "new"), [("Till{Cash{}}", "Till{Card{}}"), ("Cash{}}", "nil}")])
def test_fields_that_literals_set_by_their_places(
    tmp_path: Path, settings: BuildSettings, old: str, new: str
) -> None:
    root = tmp_path / "go"
    write_files(
        root,
        {
            "go.mod": "module example.com/shop\n",
            "kinds.go": """
                package shop

                type Payer interface { Pay() }
                type Cash struct{}
                func (c Cash) Pay() {}
                type Card struct{}
                func (c Card) Pay() {}
                type Till struct { kind Payer }
                """,
            "make.go": "package shop\n\nfunc Make() Till { return Till{Cash{}} }\n",
            "use.go": "package shop\n\nfunc Use(t Till) { t.kind.Pay() }\n",
        },
    )
    build(root, settings)
    for before, after in ((old, new), (new, old)):
        edit(root, "make.go", before, after)
        check_is_as_built(root, settings, build(root, settings))
