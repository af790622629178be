from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.errors import ExitCode
from mu.model.relation import Relation
from mu.store import DamagedGraphError, NoGraphError, QueryError, open_graph
from mu.store.engine.connection import is_whole

HEADERS, BLOCK = 3 * 4096, 16_384
"""Bytes of the engine's headers, and of a block behind them."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(make_graph(SHOP), tmp_path)


def test_no_file_names_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(NoGraphError, match="no graph here") as raised:
        open_graph(tmp_path / "nowhere" / ".mubase")

    assert "mu kernel build" in raised.value.hint
    assert raised.value.code is ExitCode.NO_GRAPH


def change(sql: str) -> Callable[[Path], None]:
    def apply(path: Path) -> None:
        with duckdb.connect(str(path)) as connection:
            connection.execute(sql)

    return apply


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5_000])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100] ^= 0xFF
    path.write_bytes(data)


def link(path: Path) -> None:
    path.rename(path.with_name("real"))
    path.symlink_to("real")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (lambda p: p.write_bytes(b""), "is empty"),
        (lambda p: p.write_bytes(b"hello, world " * 99), "is not a graph file"),
        (lambda p: p.write_bytes(p.read_bytes()[:12]), "is damaged or was not made by MU"),
        (cut, "is damaged or was not made by MU"),
        (flip, "is damaged or was not made by MU"),
        (link, "is not a regular file"),
        (folder, "is not a regular file"),
        (change("DROP TABLE meta"), "is damaged or was not made by MU"),
        (change("DELETE FROM meta"), "was not made by MU"),
        (change("UPDATE meta SET value = 'one'"), "was not made by MU"),
        (change("UPDATE meta SET value = '999' WHERE name = 'schema'"), "newer MU (schema 999)"),
        (change("UPDATE meta SET value = '0' WHERE name = 'schema'"), "older MU (schema 0)"),
        (change("CREATE VIEW extra AS SELECT 1"), "holds more than a graph"),
        (
            change("CREATE SCHEMA other; CREATE VIEW other.extra AS SELECT 1"),
            "holds more than a graph",
        ),
        (change("CREATE INDEX extra ON node(key)"), "holds more than a graph"),
        (
            change("DROP TABLE site; CREATE TABLE site(a INT, text AS (repeat('x', a)))"),
            "holds more than a graph",
        ),
    ],
)
def test_a_file_that_is_no_graph_is_told_and_left_alone(
    path: Path, damage: Callable[[Path], None], what: str
) -> None:
    damage(path)
    before = path.read_bytes() if path.is_file() else b""

    with pytest.raises(DamagedGraphError) as raised:
        open_graph(path)

    assert what in raised.value.message
    assert raised.value.message.startswith(".mubase ")
    assert str(path.parent) not in raised.value.message
    assert "mu kernel build" in raised.value.hint
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_foreign_database_is_no_graph(tmp_path: Path) -> None:
    path = tmp_path / "other"
    change("CREATE TABLE mine(a INT)")(path)

    with pytest.raises(DamagedGraphError, match="was not made by MU"):
        open_graph(path)


def test_damage_beyond_the_head_is_told_when_it_is_met(tmp_path: Path) -> None:
    path = write(make_graph("\n".join(f"a{n}.py" for n in range(20_000))), tmp_path)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 8)
        file.write(b"\xff" * (size * 3 // 4))

    def read_all() -> None:
        with open_graph(path) as graph:
            for table in ("node", "file"):
                graph.run(Relation(f"FROM {table}"), limit=None)

    with pytest.raises(DamagedGraphError):
        read_all()


def test_macros_in_the_file_shadow_nothing(path: Path) -> None:
    change("CREATE MACRO lower(x) AS 'evil'; CREATE MACRO count(x) AS 0")(path)

    with open_graph(path) as graph:
        answer = graph.run(Relation("SELECT lower('A'), count(name) FROM classes"))
    assert answer.rows == (("a", 4),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('{secret}')",
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM '{secret}'",
        "SELECT * FROM glob('{folder}/*')",
        "COPY (SELECT 1) TO '{folder}/out.csv'",
        "EXPORT DATABASE '{folder}/out'",
        "ATTACH '{folder}/other.db'",
        "ATTACH ':memory:' AS again; ATTACH '{folder}/.mubase' AS two",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET threads = 8",
        "SET lock_configuration = false",
        "RESET memory_limit",
        "PRAGMA disable_checkpoint_on_shutdown",
        "SET GLOBAL temp_directory = '{folder}'",
        "DELETE FROM graph.main.node",
        "INSERT INTO graph.main.meta VALUES ('a', 'b')",
        "UPDATE graph.main.meta SET value = '2'",
        "DROP TABLE graph.main.node",
        "CREATE TABLE graph.main.mine AS SELECT 1",
        "WITH x AS (DELETE FROM graph.main.node RETURNING id) SELECT * FROM x",
        "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
        "SELECT * FROM local_variable",
    ],
)
def test_the_engine_beneath_reaches_nothing_else(path: Path, tmp_path: Path, sql: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("do not read")
    before = sorted(p.name for p in tmp_path.iterdir()), path.read_bytes()
    local_variable = [{"a": 1}]  # noqa: F841  the engine must not find it

    with open_graph(path) as graph:
        with pytest.raises((QueryError, DamagedGraphError)) as raised:
            graph.run(Relation(sql.format(secret=secret, folder=tmp_path)))
        assert graph.run(Relation("SELECT count(*) FROM classes")).rows == ((4,),)

    shown = (raised.value.message + raised.value.hint).replace(f"`{secret}`", "what was asked")
    assert str(tmp_path) not in shown
    assert (sorted(p.name for p in tmp_path.iterdir()), path.read_bytes()) == before


def test_a_damaged_block_is_no_mistake_of_the_query(path: Path) -> None:
    sound = path.read_bytes()
    asked = Relation("SELECT id, signature, docstring FROM nodes ORDER BY ALL")
    with open_graph(path) as graph:
        right = graph.run(asked).rows
    blocks = range(HEADERS + BLOCK // 2, len(sound), BLOCK)
    told = [error for place in blocks if (error := damaged(path, sound, place, asked, right))]
    assert told
    for error in told:
        assert error.message.startswith(".mubase is damaged")
        assert "mu kernel build --full" in error.hint
        assert error.code is ExitCode.NO_GRAPH


def damaged(
    path: Path, sound: bytes, place: int, asked: Relation, right: Sequence[object]
) -> DamagedGraphError | None:
    """Flip a byte and ask: the right rows, or the error."""
    data = bytearray(sound)
    data[place] ^= 0xFF
    path.write_bytes(data)
    try:
        with open_graph(path) as graph:
            assert graph.run(asked).rows == right
    except DamagedGraphError as error:
        return error
    return None


def test_what_the_engine_does_not_explain_is_the_query_s_fault_in_a_whole_file(
    path: Path,
) -> None:
    assert is_whole(path)
    cut(path)
    assert not is_whole(path)
    assert not is_whole(path.with_name("none"))
