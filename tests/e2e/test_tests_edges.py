"""Which tests use something, where tests are functions, methods or code of a module."""

from pathlib import Path

import pytest

from e2e.command import mu, write_tree

NAMELESS = """\
import { total, count } from './cart';

describe('cart', () => {
  it('adds up', () => { expect(total()).toBe(1); });
});
"""
REPOSITORIES = {
    "a module whose tests have no names": (
        {
            "cart.ts": "export function total() { return 1; }\nexport function count() {}\n",
            "cart.test.ts": NAMELESS,
            "page.ts": "import { total } from './cart';\n\ntotal();\n",
        },
        "mod:cart.test.ts",
    ),
    "functions": (
        {
            "go.mod": "module shop\n",
            "cart.go": "package shop\n\nfunc total() {}\n\nfunc count() {}\n",
            "cart_test.go": 'package shop\n\nimport "testing"\n\n'
            "func TestTotal(t *testing.T) { total() }\n",
        },
        "fn:cart_test.go:TestTotal",
    ),
    "methods": (
        {
            "Cart.java": "class Cart {\n    static void total() { }\n"
            "    static void count() { }\n}\n",
            "CartTest.java": "class CartTest {\n    void adds() { Cart.total(); }\n}\n",
        },
        "fn:CartTest.java:CartTest.adds",
    ),
}


@pytest.mark.parametrize(("files", "test"), REPOSITORIES.values(), ids=REPOSITORIES)
def test_what_tests_something_is_what_calls_it(
    files: dict[str, str], test: str, tmp_path: Path
) -> None:
    write_tree(tmp_path, files)
    mu("kernel", "build", ".", cwd=tmp_path)

    def ids(*command: str) -> list[str]:
        lines = mu(*command, "--format", "csv", cwd=tmp_path).stdout.splitlines()
        return [line.split(",")[0] for line in lines[1:]]

    assert ids("dependents", "total", "--kind", "tests") == [test]
    assert ids("query", "SHOW tests OF total") == [test]
    assert ids("query", "@tests_of('total')") == [test]
    assert ids("dependents", "count", "--kind", "tests") == []
