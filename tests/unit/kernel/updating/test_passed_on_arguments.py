"""What an edited function passes is passed on by others, as a build from scratch has it."""

from pathlib import Path

import pytest

from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_edit_and_back, write_files

pytestmark = pytest.mark.usefixtures("_unbounded")

FORWARDING = {
    "ends.py": """
        def end(first=None, second=None, key=None):
            if first:
                first()
            if second:
                second()
            if key:
                key()


        def other(key=None):
            key()
    """,
    "wrap.py": """
        from ends import end, other


        def wrap(own=None, *args, **kwargs):
            own()
            return end(*args, **kwargs)
    """,
    "outer.py": """
        from wrap import wrap


        def outer(*args, **kwargs):
            return wrap(*args, **kwargs)
    """,
    "use.py": """
        from outer import outer
        from wrap import wrap


        def one(): ...
        def two(): ...
        def three(): ...


        def start():
            outer(one, two, key=three)


        wrap(three, one, key=two)
    """,
}
EDITS = {
    "through a function that the edit has linked back to the edited one": (
        {
            "shop.py": """
                class Card:
                    def pay(self, then=None):
                        shop(then)


                class Till:
                    def open(self):
                        shop(Card(), self)

                    def close(self, then=None):
                        then()


                def done(): ...


                def shop(card, till=None):
                    till.close(card)
            """,
        },
        ("shop.py", "    till.close(card)\n", "    till.close(card)\n    card.pay(done)\n"),
    ),
    "to the variadic parameter of a constructor": (
        {
            "box.py": """
                class Box:
                    def __init__(self, *parts):
                        self.parts = parts

                    def run(self):
                        self.parts[0]()
            """,
            "use.py": """
                from box import Box


                def one(): ...
                def two(): ...
                def three(): ...


                Box(one).run()
                Box(two).run()
            """,
        },
        ("use.py", "Box(two)", "Box(three)"),
    ),
    "by a function that forwards them to another one": (
        FORWARDING,
        ("wrap.py", "return end(*args, **kwargs)", "return other(**kwargs)"),
    ),
    "by a function that forwards them no more": (
        FORWARDING,
        ("wrap.py", "end(*args, **kwargs)", "end(own)"),
    ),
    "by a function that forwards them from another place on": (
        FORWARDING,
        ("wrap.py", "end(*args, **kwargs)", "end(None, *args)"),
    ),
    "by a function that forwards them, with one parameter more": (
        FORWARDING,
        ("wrap.py", "own=None, *args", "own=None, other=None, *args"),
    ),
    "by a function that forwards them, with one parameter less": (
        FORWARDING,
        ("wrap.py", "own=None, *args, **kwargs):\n    own()", "*args, **kwargs):"),
    ),
    "by a function that forwards them, with a parameter for what was forwarded": (
        FORWARDING,
        ("wrap.py", "own=None, *args, **kwargs", "own=None, *args, key=None, **kwargs"),
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_update_passes_on_what_a_build_does(
    tmp_path: Path, settings: BuildSettings, name: str
) -> None:
    files, (path, old, new) = EDITS[name]
    root = tmp_path / "passing"
    write_files(root, files)

    check_edit_and_back(root, settings, path, old=old, new=new)
