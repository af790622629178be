"""The stubs of Python's library agree with the running interpreter, as far as it can be asked."""

import ast
import builtins
import importlib
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import mu.languages
from mu.languages.stubs import go_stubs, java_stubs, python_stubs, rust_stubs, typescript_stubs
from mu.syntax import Extractor

STUBS = Path(mu.languages.__file__).parent / "data" / "stubs" / "python"
PATHS = {
    ".".join(path.relative_to(STUBS).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(STUBS.rglob("*.pyi"))
}
MODULES = list(PATHS)
METHOD = (ast.FunctionDef, ast.AsyncFunctionDef)
OPEN = "__getattr__"
# what is called by name, or by `super()`, though it is not public
_CALLED = """
    __init__ __call__ __enter__ __exit__ __aenter__ __aexit__ __iter__ __next__ __getitem__
    __setitem__ __delitem__ __len__ __contains__
"""
CALLED = frozenset(_CALLED.split())

# in a stub, but not in each of the versions 3.11 to 3.13
_SOME_VERSIONS = """
    asyncio.AbstractServer.abort_clients asyncio.AbstractServer.close_clients
    asyncio.Handle.get_context asyncio.Queue.shutdown asyncio.QueueShutDown
    asyncio.Task.get_context base64.z85decode base64.z85encode builtins.PythonFinalizationError
    builtins.bytearray.__buffer__ builtins.bytearray.__release_buffer__ builtins.bytes.__buffer__
    builtins.int.is_integer builtins.memoryview.__buffer__ builtins.memoryview.__release_buffer__
    collections.abc.Buffer configparser.RawConfigParser.readfp configparser.SafeConfigParser
    copy.replace fractions.Fraction.is_integer functools.partial.__get__ glob.translate
    http.client.HTTPConnection.get_proxy_response_headers inspect.Signature.format
    inspect.markcoroutinefunction itertools.batched logging.Logger.getChildren
    logging.getHandlerByName logging.getHandlerNames mimetypes.guess_file_type
    os.DirEntry.is_junction os.path.isdevdrive os.path.isjunction os.path.splitroot
    os.process_cpu_count pathlib.Path.__enter__ pathlib.Path.__exit__ pathlib.Path.from_uri
    pathlib.Path.is_junction pathlib.Path.link_to pathlib.Path.walk pathlib.PurePath.full_match
    pathlib.PurePath.with_segments pathlib.UnsupportedOperation queue.Queue.shutdown
    queue.ShutDown random.Random.binomialvariate random.binomialvariate re.template
    types.MethodType.__get__ types.get_original_bases typing.ParamSpec.has_default
    typing.TypeAliasType typing.TypeVar.has_default typing.TypeVarTuple.has_default
    typing.get_protocol_members typing.is_protocol typing.override unittest.TestResult.addDuration
    unittest.case.TestCase._addDuration unittest.case.TestCase._assertNotWarns
    unittest.case.TestCase._deprecate unittest.case.TestCase.assertDictContainsSubset
    unittest.case.TestCase.assertRaisesRegexp unittest.case.TestCase.failUnlessRaises
    unittest.mock.ThreadingMock warnings.deprecated xml.etree.ElementTree.Element.__bool__
    xml.etree.ElementTree.XMLParser.flush xml.etree.ElementTree.XMLPullParser.flush
    zipfile.Path.is_symlink asyncio.Server.abort_clients asyncio.Server.close_clients
    builtins.PythonFinalizationError.__init__ collections.UserDict.get gzip.GzipFile.tell
    http.server.CGIHTTPRequestHandler.__init__ pathlib.Path.__init__ pathlib.Path.as_uri
    enum.Enum.__copy__ enum.Enum.__deepcopy__ tarfile.FilterError tarfile.TarInfo.replace
"""
SOME_VERSIONS = frozenset(_SOME_VERSIONS.split())
# iterated over by other ways than a member of this name
ITERATED = {"typing.IO.__iter__", "typing.IO.__next__", "xml.etree.ElementTree.Element.__iter__"}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(PATHS[module].read_text(encoding="utf-8"))


def defined(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    """What the statements bind, by name; a name imported as itself is that import."""
    found: dict[str, ast.stmt] = {}
    for row in body:
        if isinstance(row, (ast.ClassDef, *METHOD)):
            found[row.name] = row
        elif isinstance(row, ast.AnnAssign) and isinstance(row.target, ast.Name):
            found[row.target.id] = row
        elif isinstance(row, ast.Assign) and isinstance(row.targets[0], ast.Name):
            found[row.targets[0].id] = row
        elif isinstance(row, (ast.Import, ast.ImportFrom)):
            found |= {(name.asname or name.name).partition(".")[0]: row for name in row.names}
    if "*" in found:
        found |= defined(tree("typing").body)
    return found


def definition(module: str, name: str) -> tuple[str, ast.ClassDef] | None:
    """The class that `name` means in a stub, through imports and aliases, and its stub."""
    first, _, rest = name.partition(".")
    row = defined(tree(module).body).get(first)
    if row is None:
        return definition("builtins", name) if module != "builtins" else None
    if isinstance(row, ast.ClassDef):
        return (module, row)
    if isinstance(row, ast.Assign):
        return definition(module, ast.unparse(row.value))
    if isinstance(row, ast.Import):
        return definition(first, rest) if rest else None
    if isinstance(row, ast.ImportFrom) and row.module in PATHS:
        original = {alias.asname or alias.name: alias.name for alias in row.names}
        if rest:
            return definition(f"{row.module}.{original[first]}", rest)
        return definition(row.module, original.get(first, first))
    return None


def members(module: str, row: ast.ClassDef) -> set[str]:
    """The members that a stub gives a class, those of its bases among them."""
    found = set(defined(row.body))
    for base in [*row.bases, ast.Name("object")]:
        name = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
        above = definition(module, name)
        if above is not None and above[1] is not row:
            found |= members(*above)
    return found


def holder(module: str, row: ast.ClassDef, name: str) -> tuple[str, ast.ClassDef] | None:
    """The class that a stub gives a method of this name, and its stub: a class or a base of it."""
    if isinstance(defined(row.body).get(name), METHOD):
        return module, row
    for base in row.bases:
        named = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
        above = definition(module, named)
        found = holder(*above, name) if above is not None and above[1] is not row else None
        if found is not None:
            return found
    return None


def classes() -> Iterator[tuple[str, ast.ClassDef]]:
    for module in MODULES:
        for row in tree(module).body:
            if isinstance(row, ast.ClassDef):
                yield module, row


def running(module: str, name: str) -> object:
    """What the interpreter has under a name; classes without a global name are in `types`."""
    found = getattr(importlib.import_module(module), name, None)
    if found is None and module == "builtins":
        kinds = (*vars(types).values(), type({}.keys()), type({}.values()), type({}.items()))
        return next((kind for kind in kinds if _is_called(kind, name)), None)
    return found


def _is_called(kind: object, name: str) -> bool:
    return isinstance(kind, type) and (kind.__module__, kind.__name__) == ("builtins", name)


def is_public(name: str) -> bool:
    return not name.startswith("_")


@pytest.mark.parametrize("module", MODULES)
def test_a_stub_is_read_without_a_problem(module: str) -> None:
    facts = Extractor().extract(PATHS[module].read_bytes(), "python")

    assert facts.problems == ()


def test_what_a_stub_defines_exists() -> None:
    names = {
        (module, name)
        for module in MODULES
        for name, row in defined(tree(module).body).items()
        if isinstance(row, (ast.ClassDef, *METHOD)) and is_public(name)
    }

    missing = {f"{module}.{name}" for module, name in names if running(module, name) is None}

    assert missing - SOME_VERSIONS == set()


def test_a_stub_without_all_names_of_its_module_says_so() -> None:
    missing: set[str] = set()
    for module in MODULES:
        stubbed = defined(tree(module).body)
        if OPEN not in stubbed:
            names = set(getattr(importlib.import_module(module), "__all__", ()))
            missing |= {f"{module}.{name}" for name in names - set(stubbed)}

    assert missing == set()


def test_every_builtin_is_in_the_stub() -> None:
    known = {*defined(tree("builtins").body), "False", "None", "True"}
    beside = {"_IncompleteInputError", "_"}  # an interactive session, or gettext, puts `_` there
    assert set(dir(builtins)) - known <= beside


def test_every_public_member_of_a_class_is_in_its_stub() -> None:
    missing: set[str] = set()
    for module, row in classes():
        kind, stubbed = running(module, row.name), members(module, row)
        if isinstance(kind, type) and OPEN not in stubbed:
            public = {name for name in dir(kind) if is_public(name)}
            missing |= {f"{module}.{row.name}.{name}" for name in public - stubbed}

    assert missing == set()


def test_every_method_of_a_stub_exists() -> None:
    missing: set[str] = set()
    for module, row in classes():
        kind = running(module, row.name)
        if isinstance(kind, type):
            names = {name for name, part in defined(row.body).items() if isinstance(part, METHOD)}
            gone = names - {name for above in kind.__mro__ for name in vars(above)} - {OPEN}
            missing |= {f"{module}.{row.name}.{name}" for name in gone}

    assert missing - SOME_VERSIONS - ITERATED == set()


def test_a_method_that_a_class_has_of_its_own_is_not_that_of_a_base() -> None:
    missing: set[str] = set()
    for module, row in classes():
        kind = running(module, row.name)
        for name in vars(kind) if isinstance(kind, type) else ():
            above = holder(module, row, name) if is_public(name) or name in CALLED else None
            if above is not None and above[1] is not row:
                inherits = running(above[0], above[1].name) in kind.__mro__[1:]
                missing |= {f"{module}.{row.name}.{name}"} if inherits else set()

    assert missing - SOME_VERSIONS == set()


@pytest.mark.parametrize(
    "name", ["bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str"]
)
def test_every_operator_of_a_builtin_is_in_its_stub(name: str) -> None:
    found = definition("builtins", name)

    assert found is not None
    assert set(dir(getattr(builtins, name))) - members(*found) == set()


def test_every_name_in_a_stub_is_bound() -> None:
    known = set(dir(builtins)) | set(defined(tree("builtins").body))

    unbound = {
        f"{module}: {name}"
        for module in MODULES
        for name in _used(tree(module)) - known - set(defined(tree(module).body))
    }

    assert unbound == set()


def test_no_annotation_means_a_member_of_its_class() -> None:
    confused = {
        f"{module}.{row.name}.{name}"
        for module, row in classes()
        for name in _annotated(row) & set(defined(row.body))
    }

    assert confused == set()


def test_what_a_stub_imports_is_in_the_stub_it_names() -> None:
    imports = {
        (row.module or "", alias.name)
        for module in MODULES
        for row in tree(module).body
        if isinstance(row, ast.ImportFrom)
        for alias in row.names
        if alias.name != "*" and f"{row.module}.{alias.name}" not in PATHS
    }

    missing = {
        f"{module}.{name}"
        for module, name in imports
        if module not in PATHS or name not in defined(tree(module).body)
    }

    assert missing == set()


def _annotated(row: ast.ClassDef) -> set[str]:
    parts = [
        part
        for node in ast.walk(row)
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if part is not None
    ]
    return {name for part in parts for name in _used(part)}


def _used(root: ast.AST) -> set[str]:
    """The names that are read somewhere in `root`."""
    names = (node for node in ast.walk(root) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, ast.Load)}


@pytest.mark.parametrize("name", ["a" * 300, "a." * 3000, "/etc/hosts", "a./etc/hosts", "a\0", ""])
def test_a_name_that_is_no_path_of_a_stub_has_none(name: str) -> None:
    for stubs in (go_stubs(), java_stubs(), python_stubs(), rust_stubs(), typescript_stubs()):
        assert stubs.facts(name) is None
        assert not stubs.reexported_names(name)
        assert not stubs.is_package(name)


def test_a_stub_outside_of_the_folders_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "evil.d.ts").write_text("export function run(): void;", encoding="utf-8")

    assert typescript_stubs().facts(f"{tmp_path}/evil") is None
