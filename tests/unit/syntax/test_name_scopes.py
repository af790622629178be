"""In which scope a name lives, where it is read: `x@f` is the x that f binds."""

import pytest

from unit.syntax.reading import Reading

# What the last line of each, `probe(...)`, is given; a name of the file has no scope behind it.
HOMES = {
    "bound by nothing": ("def f():\n  probe(x)", "x"),
    "bound by the file": ("x = 1\ndef f():\n  probe(x)", "x"),
    "bound by the function": ("x = 1\ndef f():\n  x = 2\n  probe(x)", "x@f"),
    "bound further down": ("x = 1\ndef f():\n  if 0: x = 2\n  probe(x)", "x@f"),
    "bound by the function around": ("def f():\n  x = 1\n  def g():\n    probe(x)", "x@f"),
    "nearest function": ("def f(x):\n  def g(x):\n    probe(x)", "x@f.g"),
    "parameter": ("def f(a, *b, c=1, **d):\n  probe(a, b, c, d)", "a@f, b@f, c@f, d@f"),
    "default is read outside": ("x = 1\ndef f(x=probe(x)): pass", "x"),
    "lambda": ("f = map(lambda x: probe(x), [])", "x@<lambda>"),
    "import": ("def f():\n  import x, y.z\n  probe(x, y.z)", "x@f, y@f.z"),
    "imported name": ("def f():\n  from m import x as y, z\n  probe(x, y, z)", "x, y@f, z@f"),
    "definition": ("def f():\n  class K: pass\n  def g(): pass\n  probe(K, g)", "K@f, g@f"),
    "for": ("def f():\n  for x, (y, *z) in q: pass\n  probe(x, y, z)", "x@f, y@f, z@f"),
    "with": ("def f():\n  with a as x, b as [y]: pass\n  probe(x, y)", "x@f, y@f"),
    "except": ("def f():\n  try: pass\n  except E as x: probe(x)", "x@f"),
    "walrus": ("def f():\n  if x := 1: probe(x)", "x@f"),
    "match": ("def f():\n  match q:\n    case [x, {'k': y, **z}]: probe(x, y, z)", "x@f, y@f, z@f"),
    "match of a class": ("def f():\n  match q:\n    case C(x, k=y) as z: probe(x, y, z)",
                         "x@f, y@f, z@f"),
    "declared": ("def f():\n  x: int\n  probe(x)", "x@f"),
    "augmented": ("def f():\n  x += 1\n  probe(x)", "x@f"),
    "attribute binds no name": ("def f():\n  x.y = 1\n  probe(x)", "x"),
    "class": ("class C:\n  x = 1\n  probe(x)", "x@C"),
    "class is not seen by methods": ("class C:\n  x = 1\n  def m():\n    probe(x)", "x"),
    "class is not seen by classes in it": ("class C:\n  x = 1\n  class D:\n    probe(x)", "x"),
    "class is seen by its first iterable": ("class C:\n  x = []\n  y = [i for i in probe(x)]",
                                            "x@C"),
    "function is seen through a class": ("def f(x):\n  class C:\n    def m():\n      probe(x)",
                                         "x@f"),
    "comprehension": ("[probe(x) for x in y]", "x@<block>"),
    "comprehension sees what is around": ("def f(y):\n  [probe(x, y) for x in y]",
                                          "x@f.<block>, y@f"),
    "comprehension keeps its targets": ("def f():\n  [x for x in y]\n  probe(x)", "x"),
    # The names of p and q come to live where they are read, which has the file walked again.
    "comprehension that a file walked again holds": (
        "u = 1\ndef p(): u\ndef q(): u\ndel u\n"
        "def f():\n  x = a()\n  x.go()\n  x = b()\n  x.go()\n  [probe(x) for x in y]",
        "x@f.<block>",
    ),
    "condition of a comprehension": ("[x for x in y if probe(x)]", "x@<block>"),
    "comprehensions in each other": ("[[probe(x, y) for y in x] for x in z]",
                                     "x@<block>, y@<block>.<block>"),
    "global": ("def f():\n  global x\n  x = 1\n  probe(x)", "x"),
    "global past a function": ("def f(x):\n  def g():\n    global x\n    probe(x)", "x"),
    "nonlocal": ("def f():\n  x = 1\n  def g():\n    nonlocal x\n    x = 2\n    probe(x)", "x@f"),
    "deleted, read further in": ("x = 1\ndel x\ndef f():\n  probe(x)", "x@f"),
    "deleted under a condition": ("x = 1\nif y:\n  del x\ndef f():\n  probe(x)", "x"),
    "deleted, read in place": ("def f():\n  x = 1\n  del x\n  probe(x)", "x@f"),
    "several deleted": ("x = y = 1\ndel x, y\ndef f():\n  probe(x, y)", "x@f, y@f"),
    "super depends on its place": ("class C:\n  def m(self):\n    probe(super)", "super@C.m"),
    "alias of a type": ("def f():\n  type A = int\n  type B[T] = list[T]\n  probe(A, B)",
                        "A@f, B@f"),
    "bound after a function that reads it": (
        "def f():\n  def g():\n    probe(x)\n  x = 1",
        "x@f",
    ),
    "bound after functions that read it, of several": (
        "def f():\n  def g(): x\n  x = 1\ndef h():\n  def i(): probe(x)\n  x = 2",
        "x@h",
    ),
    "bound after a function that reads it, and nowhere else": (
        "def h(): x\ndef f():\n  def g():\n    probe(x)\n  x = 1\ndef i(): x",
        "x@f",
    ),
    "bound nowhere else": ("def f():\n  def g(): x\n  x = 1\ndef h(): probe(x)", "x"),
    "bound further in after it is read": (
        "def f():\n  x = 1\n  def g():\n    probe(x)\n    x = 2",
        "x@f.g",
    ),
    "bound in a loop after it is read": ("def f():\n  for i in q:\n    probe(x)\n    x = i", "x@f"),
    "global after it is read": ("def f(x):\n  def g():\n    probe(x)\n    global x", "x"),
    "deleted after a function that reads it": ("x = 1\ndef f():\n  probe(x)\ndel x", "x@f"),
    "walrus in a comprehension": ("def f():\n  [0 for i in q if (x := i)]\n  probe(x)", "x@f"),
    "first iterable": ("def f(x):\n  [x for x in probe(x)]", "x@f"),
    "iterable of a later clause": ("def f(x):\n  [x for x in x for y in probe(x)]", "x@f.<block>"),
    "string annotation": ("def f():\n  class K: pass\n  x: 'K'\n  probe(K)", "K@f"),
}  # fmt: skip

RECEIVERS = {
    "method": ("class C:\n  def m(self, a):\n    probe(self, a)", "self@C, a@C.m"),
    "by any name": ("class C:\n  def m(me):\n    probe(me)", "me@C"),
    "function in a method": ("class C:\n  def m(self):\n    def f():\n      probe(self)", "self@C"),
    "innermost class": ("class C:\n  class D:\n    def m(self):\n      probe(self)", "self@C.D"),
    "lambda of a class": ("class C:\n  m = lambda self: probe(self)", "self@C"),
    "all arguments": ("class C:\n  def m(*all):\n    probe(all)", "all@C.m"),
    "receiver bound anew": (
        "class C:\n  def m(self):\n    self = f()\n    probe(self)",
        "self@C.m",
    ),
    "receiver bound anew after it is read": (
        "class C:\n  def m(self):\n    probe(self)\n    self = f()",
        "self@C.m",
    ),
    "decorated": ("class C:\n  @d\n  def m(self):\n    probe(self)", "self@C.m"),
    "function": ("def f(self):\n  probe(self)", "self@f"),
    "type parameter": ("T = 1\ndef f[T]():\n  probe(T)", "T@f"),
    "function in a method, its own": (
        "class C:\n  def m(self):\n    def f(self):\n      probe(self)",
        "self@C.m.f",
    ),
}  # fmt: skip

WRONG = {
    "body of a class's comprehension": ("class C:\n  x = 1\n  y = [probe(x) for i in q]", "x"),
}


def probed(source: str) -> str:
    """The arguments of the call of `probe`, as they were read."""
    calls = [text for text in Reading(source).expressions() if text.startswith("probe(")]
    assert len(calls) == 1, calls
    return calls[0].removeprefix("probe(").removesuffix(")")


@pytest.mark.parametrize(("source", "home"), HOMES.values(), ids=HOMES)
def test_name_lives_in_the_scope_that_binds_it(source: str, home: str) -> None:
    assert probed(source) == home


@pytest.mark.parametrize(("source", "home"), RECEIVERS.values(), ids=RECEIVERS)
def test_receiver_lives_in_the_class_of_its_methods(source: str, home: str) -> None:
    assert probed(source) == home


@pytest.mark.parametrize(
    ("source", "home"),
    [pytest.param(*case, id=name, marks=pytest.mark.xfail) for name, case in WRONG.items()],
)
def test_scope_that_is_still_wrong(source: str, home: str) -> None:
    assert probed(source) == home


def test_same_attribute_of_a_receiver_is_one_row_in_a_class() -> None:
    reading = Reading("class C:\n  def a(self): self.x\n  def b(self): return [self.x]\n")

    assert reading.expressions().count("self@C.x") == 1


def test_data_of_a_function_is_no_reference_and_its_definitions_are() -> None:
    reading = Reading(
        """
        def f(data):
            import module
            def inner(): pass
            return data, module, inner
        """
    )

    assert reading.references() == ["5 value inner@f in f", "5 value module@f in f"]
