"""One node for each reference, or an error that helps."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.analysis.node_search.node_resolution import (
    SHOWN_CANDIDATES,
    AmbiguousNodeError,
    UnknownNodeError,
    resolve_node,
)
from mu.errors import ExitCode, MuError
from mu.store import GraphFile, open_graph

TWICE = """
src/app/__init__.py
src/app/one.py
  class Box @ 1-20
    def open @ 2-9
      def inner @ 4-6
    def close @ 10-12
  def run @ 30-40
src/app/two.py
  class Box @ 1-9
    def open @ 2-4
tests/test_box.py
  def run @ 1-5
  def only_here @ 6-9
docs/one.md
src/app/two.py -> ext:toolbox.run imports 1 import
src/app/two.py -> ext:toolbox.unbox imports 2 import
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path_factory.mktemp("shop"))) as graph:
        yield graph


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(TWICE), tmp_path_factory.mktemp("twice"))) as graph:
        yield graph


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("fn:app/auth.py:AuthService.login", "fn:app/auth.py:AuthService.login"),
        ("app/auth.py", "mod:app/auth.py"),
        ("./app/auth.py", "mod:app/auth.py"),
        ("docs/auth.md", "doc:docs/auth.md"),
        ("app/auth.py:15", "fn:app/auth.py:AuthService.login"),
        ("app/auth.py:5", "cls:app/auth.py:AuthService"),
        ("app/auth.py:2", "mod:app/auth.py"),
        ("app/auth.py:login", "fn:app/auth.py:AuthService.login"),
        ("app/auth.py:AuthService.login", "fn:app/auth.py:AuthService.login"),
        ("app.auth", "mod:app/auth.py"),
        ("app.auth.AuthService", "cls:app/auth.py:AuthService"),
        ("AuthService.login", "fn:app/auth.py:AuthService.login"),
        ("login", "fn:app/auth.py:AuthService.login"),
        ("hashlib.sha256", "ext:hashlib.sha256"),
        ("  login ", "fn:app/auth.py:AuthService.login"),
    ],
)
def test_a_reference_finds_its_node(shop: GraphFile, reference: str, found: str) -> None:
    assert resolve_node(shop, reference).id == found


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("auth.py", "mod:app/auth.py"),
        ("test_auth.py:test_login", "fn:tests/test_auth.py:test_login"),
        ("auth.py:15", "fn:app/auth.py:AuthService.login"),
        ("app/auth.py::AuthService::login", "fn:app/auth.py:AuthService.login"),
        ("test_auth.py::test_login", "fn:tests/test_auth.py:test_login"),
        ("AuthService::login", "fn:app/auth.py:AuthService.login"),
        ("AuthService#login", "fn:app/auth.py:AuthService.login"),
        ("AuthService.login()", "fn:app/auth.py:AuthService.login"),
        ("`AuthService.login()`", "fn:app/auth.py:AuthService.login"),
        ("AuthService.login(user, password)", "fn:app/auth.py:AuthService.login"),
        ("app/auth.py:AuthService.login(user)", "fn:app/auth.py:AuthService.login"),
        ("app.auth:AuthService.login", "fn:app/auth.py:AuthService.login"),
        ("app.auth#AuthService", "cls:app/auth.py:AuthService"),
        ("app/auth.py#AuthService", "cls:app/auth.py:AuthService"),
        ("app/auth.py:AuthService::login", "fn:app/auth.py:AuthService.login"),
        ("app/auth.py#L15", "fn:app/auth.py:AuthService.login"),
        ("app/auth.py#L15-L16", "fn:app/auth.py:AuthService.login"),
        ("app/auth.py:15:8", "fn:app/auth.py:AuthService.login"),
        ("app/auth.py:15-16", "fn:app/auth.py:AuthService.login"),
        ("tests/test_auth.py::test_login[a/b::c]", "fn:tests/test_auth.py:test_login"),
        ("auth.(*AuthService).login", "fn:app/auth.py:AuthService.login"),
        ("<AuthService as Service>::login", "fn:app/auth.py:AuthService.login"),
        ("crate::auth::AuthService", "cls:app/auth.py:AuthService"),
        ("AuthService.prototype.login", "fn:app/auth.py:AuthService.login"),
        ("app/auth", "mod:app/auth.py"),
        ("auth service", "cls:app/auth.py:AuthService"),
        ("Test Login", "fn:tests/test_auth.py:test_login"),
        ("authservice", "cls:app/auth.py:AuthService"),
        ("auth_service", "cls:app/auth.py:AuthService"),
    ],
)
def test_a_reference_as_other_tools_write_it(shop: GraphFile, reference: str, found: str) -> None:
    assert resolve_node(shop, reference).id == found


def test_a_path_may_begin_at_the_root_of_the_file_system(shop: GraphFile) -> None:
    root = shop.path.absolute().parent
    assert resolve_node(shop, f"{root}/app/auth.py").id == "mod:app/auth.py"
    assert resolve_node(shop, f"{root}/app/auth.py:15").id == "fn:app/auth.py:AuthService.login"


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("/usr/lib/python3/site-packages/app/auth.py", "mod:app/auth.py"),
        ("/usr/lib/python3/site-packages/app/auth.py:15", "fn:app/auth.py:AuthService.login"),
    ],
)
def test_a_path_may_be_that_of_a_copy(shop: GraphFile, reference: str, found: str) -> None:
    assert resolve_node(shop, reference).id == found


@pytest.mark.parametrize("reference", ["/usr/other/auth.py", "/auth.py:15", "lib/app/auth.py:15"])
def test_the_path_of_another_file_is_none_of_a_copy(shop: GraphFile, reference: str) -> None:
    with pytest.raises(UnknownNodeError):
        resolve_node(shop, reference)


def test_a_copy_has_no_folder_of_sources(twice: GraphFile) -> None:
    assert resolve_node(twice, "/opt/python/app/one.py:5").id == "fn:src/app/one.py:Box.open.inner"


@pytest.mark.parametrize(
    "reference",
    [
        "app.auth:nothing",
        "app/auth.py#L999",
        "nowhere/auth",
        "nothing(user)",
        "fn:app/auth.py:nothing",
    ],
)
def test_another_spelling_of_what_is_not_there_is_unknown(shop: GraphFile, reference: str) -> None:
    with pytest.raises(UnknownNodeError):
        resolve_node(shop, reference)


WHOLE = """
kit.py
kit/_client.py
  class Client @ 1-20
    def send @ 2-9
  def _hidden @ 22-23
kit/parts.py
kit/parts/wheel.py
  class Wheel @ 1-9
kit/alone.py
  class Alone @ 1-9
other.py
  class Other @ 1-9
kit.py -> kit/_client.py imports 1 import
kit.py -> kit/parts.py imports 2 import
kit.py -> other.py imports 3 import
kit/parts.py -> kit/parts/wheel.py imports 1 import
"""


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("kit.Client", "cls:kit/_client.py:Client"),
        ("kit.Client.send", "fn:kit/_client.py:Client.send"),
        ("kit.Wheel", "cls:kit/parts/wheel.py:Wheel"),
    ],
)
def test_a_package_has_the_public_names_of_its_modules_that_it_imports(
    tmp_path: Path, reference: str, found: str
) -> None:
    with open_graph(write(make_graph(WHOLE), tmp_path)) as graph:
        assert resolve_node(graph, reference).id == found


@pytest.mark.parametrize("reference", ["kit.Alone", "kit.Other", "kit._hidden", "kit.Nothing"])
def test_a_package_has_no_other_names(tmp_path: Path, reference: str) -> None:
    with open_graph(write(make_graph(WHOLE), tmp_path)) as graph, pytest.raises(UnknownNodeError):
        resolve_node(graph, reference)


BOX = """
pack/Box.java
  class Box @ 1-20
    def open @ 2-9
pack/Lid.java
  class Box @ 1-20
    def open @ 2-9
"""


@pytest.mark.parametrize(
    "reference", ["pack.Box.open", "pack.Box#open", "pack.Box.open(Box.java:3)"]
)
def test_the_class_of_a_file_may_be_named_without_it(tmp_path: Path, reference: str) -> None:
    with open_graph(write(make_graph(BOX), tmp_path)) as graph:
        assert resolve_node(graph, reference).id == "fn:pack/Box.java:Box.open"


INHERITED = """
a.py
  class Stream @ 1-9
    def write @ 2-3
    def close @ 4-5
  class Sized @ 11-14
    def close @ 12-13
  class File(Stream) @ 20-29
    def close @ 21-22
  class Log(File, Sized) @ 30-39
    def note @ 31-32
b.py
b.py -> a.py:Log imports 1 import
a.py:File -> a.py:Stream inherits 20 module
a.py:Log -> a.py:File inherits 30 module
a.py:Log -> a.py:Sized inherits 30 module
a.py:Stream -> a.py:Log inherits 1 module
"""


def test_a_member_may_be_named_by_a_class_that_inherits_it(tmp_path: Path) -> None:
    with open_graph(write(make_graph(INHERITED), tmp_path)) as graph:
        assert resolve_node(graph, "File.write").id == "fn:a.py:Stream.write"
        assert resolve_node(graph, "a.Log.write").id == "fn:a.py:Stream.write"
        assert resolve_node(graph, "b.Log.note").id == "fn:a.py:Log.note"
        with pytest.raises(AmbiguousNodeError):  # of two classes as near
            resolve_node(graph, "Log.close")
        with pytest.raises(UnknownNodeError):
            resolve_node(graph, "Log.open")


def test_the_end_of_a_path_that_several_files_have_is_told_by_the_name(tmp_path: Path) -> None:
    text = "a/app.py\n  def run @ 1-2\nb/app.py\n  def stop @ 1-2\n  def run @ 4-5\n"
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        assert resolve_node(graph, "app.py:stop").id == "fn:b/app.py:stop"
        assert resolve_node(graph, "b/app.py:run").id == "fn:b/app.py:run"
        for reference in ("app.py", "app.py:run"):
            with pytest.raises(AmbiguousNodeError):
                resolve_node(graph, reference)
        with pytest.raises(UnknownNodeError):
            resolve_node(graph, "app.py:walk")


LEADING = """
src/Box.java
  class Box @ 1-20
    def Box @ 2-4
    def open @ 5-9
src/Case.java
  class Case @ 1-9
    var Box @ 2-2
lib/send.js
  def send @ 3-9
lib/app.js
  var send @ 1-1
lib/other.js
  var send @ 1-1
api/client.py
  def fetch @ 3-9
api/client.pyi
  def fetch @ 3-3
lib/app.js -> lib/send.js imports 1 import
"""


def test_a_definition_comes_before_what_only_leads_to_it(tmp_path: Path) -> None:
    with open_graph(write(make_graph(LEADING), tmp_path)) as graph:
        assert resolve_node(graph, "Box").id == "cls:src/Box.java:Box"
        assert resolve_node(graph, "fetch").id == "fn:api/client.py:fetch"
        with pytest.raises(AmbiguousNodeError) as caught:
            resolve_node(graph, "send")
    kept = ["var:lib/other.js:send", "fn:lib/send.js:send"]  # nothing says what the former is
    assert [node.id for node in caught.value.candidates] == kept


NAMESAKES = """
Box.java
  class Box @ 1-9
src/stream.ts
  def stream @ 1-4
  def main @ 5-9
src/client.py
  class Client @ 1-9
    def json @ 2-4
src/stream.ts:main -> ext:stream imports 1 import
src/client.py:Client.json -> ext:json imports 3 import
"""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Box", "cls:Box.java:Box"),
        ("stream", "fn:src/stream.ts:stream"),
        ("json", "ext:json"),
        ("Client.json", "fn:src/client.py:Client.json"),
    ],
)
def test_a_definition_comes_before_a_module_of_its_name(
    tmp_path: Path, name: str, found: str
) -> None:
    with open_graph(write(make_graph(NAMESAKES), tmp_path)) as graph:
        assert resolve_node(graph, name).id == found


def test_a_line_gives_the_innermost_definition(twice: GraphFile) -> None:
    assert resolve_node(twice, "src/app/one.py:5").id == "fn:src/app/one.py:Box.open.inner"
    assert resolve_node(twice, "src/app/one.py:8").id == "fn:src/app/one.py:Box.open"


def test_source_comes_before_tests_and_externals(twice: GraphFile) -> None:
    assert resolve_node(twice, "run").id == "fn:src/app/one.py:run"


def test_code_comes_before_documents(twice: GraphFile) -> None:
    assert resolve_node(twice, "one").id == "mod:src/app/one.py"


def test_a_name_that_only_tests_or_externals_bear_is_found(twice: GraphFile) -> None:
    assert resolve_node(twice, "only_here").id == "fn:tests/test_box.py:only_here"
    assert resolve_node(twice, "unbox").id == "ext:toolbox.unbox"


def test_a_name_that_a_module_takes_in_is_found_under_it(tmp_path: Path) -> None:
    text = """
app/models.py
  class Model @ 1-9
app/impl.py
  class Model @ 1-9
app/public.py
app/public.py -> app/impl.py:Model imports 1 import
"""
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        assert resolve_node(graph, "app.public.Model").id == "cls:app/impl.py:Model"
        assert resolve_node(graph, "public.Model").id == "cls:app/impl.py:Model"
        assert resolve_node(graph, "models.Model").id == "cls:app/models.py:Model"


def test_definitions_of_one_name_in_one_scope_are_one(tmp_path: Path) -> None:
    text = "a.py\n  def load @ 1-2\n  def load~2 @ 3-4\n  def load~3 @ 5-9\n"
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        assert resolve_node(graph, "load").id == "fn:a.py:load~3"
        assert resolve_node(graph, "a.py:load").id == "fn:a.py:load"
        assert resolve_node(graph, "fn:a.py:load~2").id == "fn:a.py:load~2"
        assert resolve_node(graph, "a.py:4").id == "fn:a.py:load~2"


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("load~3", "fn:a.py:Box.load~3"),
        ("Box.load~2", "fn:a.py:Box.load~2"),
        ("a.Box.load~2", "fn:a.py:Box.load~2"),
        ("a.py:load~2", "fn:a.py:Box.load~2"),
        ("part~2.run", "fn:a.py:part~2.run"),
    ],
)
def test_a_duplicate_is_named_by_its_number(tmp_path: Path, reference: str, found: str) -> None:
    text = """
a.py
  class Box @ 1-9
    def load @ 2-2
    def load~2 @ 3-3
    def load~3 @ 4-9
  def part @ 10-12
    def run @ 11-11
  def part~2 @ 13-15
    def run @ 14-14
"""
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        assert resolve_node(graph, reference).id == found
        with pytest.raises(UnknownNodeError):
            resolve_node(graph, "other.load~3")


def test_several_nodes_are_an_error_that_lists_them(twice: GraphFile) -> None:
    with pytest.raises(AmbiguousNodeError) as caught:
        resolve_node(twice, "Box.open")
    assert caught.value.code is ExitCode.NO_NODE
    assert caught.value.message == "'Box.open' is ambiguous (2 matches)"
    assert caught.value.hint == (
        "use one of these ids:\n"
        "  fn:src/app/one.py:Box.open  line 2\n"
        "  fn:src/app/two.py:Box.open  line 2"
    )


def test_no_more_than_ten_candidates_are_listed(tmp_path: Path) -> None:
    files = "".join(f"a{number:02}.py\n  def run @ 1-2\n" for number in range(12))
    path = write(make_graph(files), tmp_path)
    with open_graph(path) as graph, pytest.raises(AmbiguousNodeError) as caught:
        resolve_node(graph, "run")
    assert len(caught.value.candidates) == SHOWN_CANDIDATES
    assert caught.value.total == 12
    assert caught.value.hint.endswith("\n  and 2 more")


@pytest.mark.parametrize(
    ("reference", "nearest"),
    [
        ("AuthService.lgin", "AuthService.login"),
        ("logni", "login"),
        ("authservize", "AuthService"),
        ("app/aut.py", "app/auth.py"),
        ("app/auth.py:logon", "app/auth.py:login"),
        ("Session.login", "AuthService.login"),  # the same name in another class
        ("auth.AUTHSERVICE.x.AuthService", "AuthService"),
    ],
)
def test_a_near_miss_is_offered(shop: GraphFile, reference: str, nearest: str) -> None:
    with pytest.raises(UnknownNodeError) as caught:
        resolve_node(shop, reference)
    assert caught.value.code is ExitCode.NO_NODE
    assert caught.value.nearest[0] == nearest
    assert caught.value.hint.startswith(f"did you mean '{nearest}'")


def test_without_a_near_miss_the_hint_is_to_search(shop: GraphFile) -> None:
    with pytest.raises(UnknownNodeError, match="no node is called 'qqqqqqqq'") as caught:
        resolve_node(shop, "qqqqqqqq")
    assert caught.value.hint == "`mu search WORDS` finds names"


def test_a_line_past_the_end_says_so(shop: GraphFile) -> None:
    with pytest.raises(UnknownNodeError) as caught:
        resolve_node(shop, "app/auth.py:9999")
    assert caught.value.hint == "nothing stands at line 9999 of app/auth.py"


@pytest.mark.parametrize("reference", ["", "  ", "x" * 1_001])
def test_an_empty_or_endless_reference_is_refused(shop: GraphFile, reference: str) -> None:
    with pytest.raises(MuError):
        resolve_node(shop, reference)


@pytest.mark.parametrize(
    "reference", ["'; DROP TABLE node; --", "%", "_", "a' OR '1'='1", "/", "."]
)
def test_a_reference_is_data_and_never_sql(shop: GraphFile, reference: str) -> None:
    with pytest.raises(UnknownNodeError):
        resolve_node(shop, reference)
