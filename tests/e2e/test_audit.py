"""`mu kernel audit` on graphs that were really built."""

import json
import re
from pathlib import Path

from e2e.command import mu, write_tree
from fakes.built import with_graph

MEASURED = re.compile(r"^(  python  \w+ +\d+) +[\d.]+%$", re.MULTILINE)
"""The edges of a rule, and the measured share of right ones behind them."""

PROJECT = {
    "services/lib/shop/cart.py": "class Cart:\n    def total(self):\n        return 1\n",
    "app/main.py": """\
import json

from shop.cart import Cart
from shop import cart


def main(request, handlers):
    cart.Cart().total()
    request.session.load()
    request.session.save()
    request.total()
    handlers[request]()
    return json.dumps(Cart())
""",
    "app/broken.py": "def f(:\n    pass\n",
}


def audit(folder: Path, *arguments: str) -> str:
    result = mu("kernel", "audit", *arguments, cwd=folder)
    assert result.returncode == 0, result.stderr
    return result.stdout


def built(folder: Path, more: dict[str, str] | None = None) -> Path:
    write_tree(folder, {**PROJECT, **(more or {})})
    with_graph(folder)
    return folder


def test_it_sums_up_the_ledger(tmp_path: Path) -> None:
    shown = audit(built(tmp_path))
    assert (
        MEASURED.sub(r"\1", shown)
        == """\
references
                  total   known  resolved  external  ambiguous  dynamic  unknown
  python  all        13   69.2%      0.0%     69.2%       7.7%     7.7%    15.4%
          call        8   50.0%      0.0%     50.0%      12.5%    12.5%    25.0%
          import      5  100.0%      0.0%    100.0%       0.0%     0.0%     0.0%
edges by rule
                    edges  measured
  python  import        6
  python  syntax        4
  python  inferred      1
unresolved receivers
  request.session  such as app/main.py:9   2
  request          such as app/main.py:11  1
unresolved names
  handlers[]  such as app/main.py:12  1
  load        such as app/main.py:9   1
  save        such as app/main.py:10  1
  total       such as app/main.py:11  1
files with problems
  missing )  such as app/broken.py  1
what would help most
  add 'services/lib' to the setting build.roots
  3 imports lead outside the repository, and find what they name from 'services/lib'; \
about 7 references
"""
    )


def test_json_holds_the_same(tmp_path: Path) -> None:
    document = json.loads(audit(built(tmp_path), "--json"))
    assert list(document) == [
        "fates", "rules", "receivers", "names", "skipped", "problems", "unknown",
        "bounds", "advice",
    ]  # fmt: skip
    [whole] = [fate for fate in document["fates"] if fate["kind"] == "all"]
    parts = [fate for fate in document["fates"] if fate["kind"] != "all"]
    for name in ("total", "resolved", "external", "ambiguous", "dynamic", "unknown"):
        assert whole[name] == sum(fate[name] for fate in parts)
    assert document["receivers"][0] == {
        "text": "request.session",
        "count": 2,
        "path": "app/main.py",
        "line": 9,
    }


def test_the_share_is_that_of_the_build(tmp_path: Path) -> None:
    write_tree(tmp_path, PROJECT)
    report = json.loads(mu("kernel", "build", ".", "--json", cwd=tmp_path).stdout)
    [whole] = [f for f in json.loads(audit(tmp_path, "--json"))["fates"] if f["kind"] == "all"]
    assert whole["share_resolved"] == report["sites"]["share_resolved"]
    assert whole["total"] == report["sites"]["total"]


def test_a_root_that_helps_is_no_longer_advised(tmp_path: Path) -> None:
    folder = built(tmp_path, {"mu.toml": '[build]\nroots = ["services/lib"]\n'})
    assert audit(folder).endswith("what would help most\n  nothing stands out\n")


def test_a_limit_that_leaves_much_out_is_named(tmp_path: Path) -> None:
    long = "".join(f"def f{n}():\n    return f{n - 1}()\n" for n in range(200))
    folder = built(tmp_path, {"app/long.py": long, "mu.toml": "[build]\nmax_file_size = 2000\n"})
    shown = audit(folder)
    assert "  larger than 2000 bytes  such as app/long.py  1\n" in shown
    assert "raise the setting build.max_file_size" in shown


def test_a_module_called_like_a_library_is_no_root(tmp_path: Path) -> None:
    more = {
        "services/lib/shop/cart.py": "",
        "tools/extra/yaml.py": "def own():\n    pass\n",
        "app/main.py": "from yaml import load\n\n\ndef main():\n    return load()\n",
    }
    assert "nothing stands out" in audit(built(tmp_path, more))


def test_an_empty_ledger_is_summed_up_too(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "X = 1\n"})
    with_graph(tmp_path)
    shown = audit(tmp_path)
    assert "references\n" not in shown
    assert "nothing stands out" in shown


def test_without_a_graph_it_says_how_to_make_one(tmp_path: Path) -> None:
    result = mu("kernel", "audit", cwd=tmp_path)
    assert result.returncode == 3
    assert "mu kernel build" in result.stderr
