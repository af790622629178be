"""Edits after which a graph was once another than a build makes, made short."""

Edit = tuple[str, str, str]
"""A path, a text that its file has, and what takes the place of that."""

FOUND_EDITS: dict[str, tuple[dict[str, str], list[Edit]]] = {
    "what a parameter hands to itself early counts for its limit": (
        {
            "one.py": """
                from five import *
                class C9():
                        if isinstance(self, C9): self.go0()
                def f0(p, q=None, w=None):
                    f0([f0(v), f0(p.held)])
                    v = C9()
                    f4(C3, f1)
                f0(C0())
            """,
            "two.py": """
                class C8(C4):
                        pass
            """,
            "three.py": """
                from five import *
                def f1(p):
                    f0([f0, p], C2())
            """,
            "four.py": """
                from five import *
                class C0():
                        f0(C0)
                def f4(p, q=None):
                    q(p)
                    f0(C4(), C10(C0()))
                    f0(C8(p))
            """,
            "five.py": """
                from one import *
                from two import *
                from three import *
                from four import *
                class C1():
                    def go0(self, x=None):
                        f0({"a": C0(C0())})
                        f0(self, C0([C0(self.held), self]))
                class C3(C0):
                        pass
                class C4(C1):
                    pass
            """,
        },
        [("two.py", "class C8(C4):", "class C8():"), ("five.py", "class C4(C1):\n    pass\n", "")],
    ),
    "a parameter over the limit was handed most by another one": (
        {
            "one.py": """
                from four import *
                class C0():
                    q.go2(p)
                f0(C0())
            """,
            "two.py": """
                from four import *
                class C1():
                        self.go0(C0)
                class C2(C1):
                        pass
                class C6():
                    def go0(self, x=None):
                        f0(self, x)
                class C11():
                    pass
                def f1(p):
                    f0(p, p)
                    p(C11())
                def f3(p, q=None):
                    f1(p, C5(f1))
            """,
            "three.py": """
                from four import *
                class C7():
                    pass
                class C10(C8):
                    f1(f1, q)
                    f1(C2(), C5)
                    f0(C10(), f4(v))
            """,
            "four.py": """
                from two import *
                class C3(C2):
                    def __init__(self, held=None):
                        f0(self)
                        f1([x, C5()], x)
                        self(f3((self, C6)))
                def f0(p, q=None, w=None):
                    q(p)
                    f0(C6(w or v), p)
            """,
        },
        [("four.py", "        self(f3((self, C6)))\n", "")],
    ),
    "an expression that an update alone evaluates has too many values": (
        {
            "one.py": """
                from two import *
                class C0():
                    def go2(self, x=None):
                        f0((C0(self.held), self), C0())
                        f0(self)
                    f0(C2())
                f0(C0())
            """,
            "two.py": """
                from one import *
                class C2():
                        pass
                def f0(p):
                    f0([[p.held, C0], p])
                def f1(p):
                    p(C0(p))
            """,
        },
        [("two.py", "    p(C0(p))\n", "    pass\n")],
    ),
}
