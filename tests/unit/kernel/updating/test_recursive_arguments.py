"""Values that recursive functions forward to themselves are gone once nothing else passes them."""

from pathlib import Path

import pytest

from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_edit_and_back, write_files

pytestmark = pytest.mark.usefixtures("_unbounded")

NESTED = """
    from wrap import Wrapper


    def end(receive):
        receive()


    Wrapper(Wrapper(end))(None)
"""
RECURSIVE = {
    "forwarding by the function that passed it": (
        {
            "wrap.py": """
                def first(): ...


                class Wrapper:
                    def __init__(self, inner):
                        self.inner = inner

                    def __call__(self, receive):
                        self.inner(receive)
                        self.inner(first)
            """,
            "use.py": NESTED,
        },
        ("wrap.py", "        self.inner(first)\n", ""),
    ),
    "forwarding by another name of the same text": (
        {
            "wrap.py": """
                def first(): ...


                class Wrapper:
                    def __init__(self, inner):
                        self.inner = inner

                    def __call__(self, receive):
                        self.inner(receive)
                        one = receive
                        one = first
                        self.inner(one)
            """,
            "use.py": NESTED,
        },
        ("wrap.py", "        one = first\n", ""),
    ),
    "forwarding by an expression that holds both": (
        {
            "turns.py": """
                def turn(one, other):
                    both = one or other
                    both()
                    turn(both, None)
                    turn(None, both)
            """,
            "use.py": """
                from turns import turn


                def step(): ...


                def start():
                    turn(step, None)
            """,
        },
        ("use.py", "    turn(step, None)\n", "    pass\n"),
    ),
    "forwarding by a file that did not change": (
        {
            "turns.py": """
                def turn(one, other):
                    one()
                    turn(other, None)
                    turn(one, None)
            """,
            "use.py": """
                from turns import turn


                def step(): ...


                def start():
                    turn(None, step)
            """,
        },
        ("use.py", "    turn(None, step)\n", "    pass\n"),
    ),
    "copying an attribute that nothing else sets": (
        {
            "box.py": """
                from elsewhere import read


                class Box:
                    def __init__(self, items):
                        self.items = items

                    def reset(self):
                        self.items = {}

                    def copy(self):
                        return Box(self.items)

                    def keys(self):
                        return self.items.keys()


                Box(read())
            """,
        },
        ("box.py", "self.items = {}", "self.other = {}"),
    ),
    "copying an attribute that a class sets which extends it no more": (
        {
            "box.py": """
                class Box:
                    def __init__(self, items):
                        self.items = items

                    def copy(self):
                        return self.__class__(self.items)

                    def keys(self):
                        return self.items.keys()


                class Full(Box):
                    def __init__(self, items):
                        self.items = items
            """,
            "use.py": """
                from box import Full

                Full({})
            """,
        },
        ("box.py", "class Full(Box)", "class Full"),
    ),
    "wrapping what it was passed once more in each iteration": (
        {
            "parts.py": """
                class Part:
                    held = 1


                def nest(*parts, **named):
                    use(parts.held)
                    nest(Part(), parts, *parts)
            """,
        },
        ("parts.py", "    nest(Part(), parts, *parts)\n", ""),
    ),
    "giving back a variable of a module that nothing else sets": (
        {
            "store.py": """
                last = None


                def put(value):
                    global last
                    last = value


                def start():
                    global last
                    last = []


                def again():
                    put(last)


                def use():
                    last.append(1)
            """,
        },
        ("store.py", "    last = []\n", "    pass\n"),
    ),
}


@pytest.mark.parametrize("name", RECURSIVE)
def test_a_recursive_function_does_not_keep_what_it_is_passed_no_more(
    tmp_path: Path, settings: BuildSettings, name: str
) -> None:
    files, (path, old, new) = RECURSIVE[name]
    root = tmp_path / "recursive"
    write_files(root, files)

    check_edit_and_back(root, settings, path, old=old, new=new)
