import pytest

from unit.syntax.reading import Reading

BINDINGS = {
    "x = a": ["1 x = a"],
    "x = y = a": ["1 x = a", "1 y = a"],
    "x: A": ["1 x : A"],
    "x: A = a": ["1 x : A", "1 x = a"],
    "x, y = a": ["1 x = item(a, 0)", "1 y = item(a, 1)"],
    "(x, y) = a": ["1 x = item(a, 0)", "1 y = item(a, 1)"],
    "[x, y] = a": ["1 x = item(a, 0)", "1 y = item(a, 1)"],
    "x, = a": ["1 x = item(a, 0)"],
    "x, (y, z) = a": ["1 x = item(a, 0)", "1 y = item(item(a, 1), 0)", "1 z = item(item(a, 1), 1)"],
    "x, *y, z = a": ["1 x = item(a, 0)", "1 y = item(a, *)", "1 z = item(a, -1)"],
    "*x, y, z = a": ["1 x = item(a, *)", "1 y = item(a, -2)", "1 z = item(a, -1)"],
    "x += a": ["1 x = a"],
    "if x := a: pass": ["1 x = a"],
    "for x in a: pass": ["1 x = element(a)"],
    "for x, y in a: pass": ["1 x = item(element(a), 0)", "1 y = item(element(a), 1)"],
    "[0 for x in a]": ["1 x@<block> = element(a)"],
    "with a as x: pass": ["1 x = entered(a)"],
    "with a as x, b() as y: pass": ["1 x = entered(a)", "1 y = entered(b())"],
    "with a as (x, y): pass": ["1 x = item(entered(a), 0)", "1 y = item(entered(a), 1)"],
    "try: pass\nexcept A as x: pass": ["2 x = caught(A)"],
    "try: pass\nexcept (A, B) as x: pass": ["2 x = caught(tuple{A, B})"],
    "try: pass\nexcept* A as x: pass": ["2 x = caught(A)"],
    "match a:\n  case x: pass": ["2 x = ?"],
    "match a:\n  case [x, *y]: pass": ["2 y = ?", "2 x = ?"],
    "match a:\n  case {1: x, **y}: pass": ["2 y = ?", "2 x = ?"],
    "match a:\n  case C(x, k=y) as z: pass": [
        *("2 x = ?", "2 y = caught(C).k"),
        *("2 z = ?", "2 z = caught(C)"),
    ],
    "match a:\n  case C.D | _: pass": [],
    "del x": ["1 x deleted ?"],
    "del x, y": ["1 x deleted ?", "1 y deleted ?"],
    "del (x, y)": ["1 x deleted ?", "1 y deleted ?"],
    "del x.y, z[0]": [],
    "a.x = b": ["1 a.x = b"],
    "a.x: A = b": ["1 a.x : A", "1 a.x = b"],
    "a[0] = b": ["1 a[<int>] = b"],
    "a().x, b[0] = c": ["1 a().x = item(c, 0)", "1 b[<int>] = item(c, 1)"],
    "class C:\n  x: A = a": ["2 x@C : A", "2 x@C = a"],
    "class C:\n  def m(self, a): self.x = a": ["2 self@C.x = a@C.m"],
    "def f():\n  global x\n  x = a": ["3 x = a"],
    "def f():\n  x = a": ["2 x@f = a"],
    "type X = list[A]": ["1 X = list[A]"],
    "type X[T] = list[T]": ["1 X = list[T]"],
    "__all__ += ['a']": ["1 __all__ = list{'a'}"],
    "__all__.extend(['a'])": ["1 __all__ = list{'a'}"],
    "other.extend(['a'])": [],
}  # fmt: skip


@pytest.mark.parametrize(("source", "rows"), BINDINGS.items())
def test_binding_has_a_row_for_each_target(source: str, rows: list[str]) -> None:
    assert sorted(Reading(source).bindings()) == sorted(rows)


def test_target_in_parentheses_is_no_tuple() -> None:
    assert Reading("(x) = a\n").bindings() == ["1 x = a"]
