"""`mu mcp serve --http`: the official client asks with the token, and nothing else is answered."""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from e2e.command import environment
from fakes.built import built_tree

SOURCE = {"shop.py": "def order(key):\n    return key\n\n\ndef page():\n    return order(1)\n"}
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """The port of a server, and the file with its token."""
    root = tmp_path_factory.mktemp("shop")
    state = tmp_path_factory.mktemp("state")
    with (
        built_tree(root, SOURCE),
        subprocess.Popen(
            [sys.executable, "-m", "mu", "-C", str(root), "mcp", "serve", "--http", "0"],
            env={**environment(root), "XDG_STATE_HOME": str(state)},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        assert process.stderr is not None
        address, _, file = process.stderr.readline().strip().partition("; token: ")
        yield int(address.rpartition(":")[2].removesuffix("/mcp")), Path(file)
        process.terminate()


@pytest.mark.slow(reason="a process that imports the SDK")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_with_the_token_is_answered(served: tuple[int, Path], mode: str) -> None:
    port, file = served
    headers = {"Authorization": f"Bearer {file.read_text().strip()}"}

    async def ask() -> str:
        async with httpx2.AsyncClient(headers=headers, timeout=60) as carrier:
            transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=carrier)
            async with Client(transport, mode=mode) as client:
                result = await client.call_tool("mu_callers", {"node": "order"})
                return "\n".join(part.text for part in result.content)

    assert "shop.py:6  return order(1)  in page" in anyio.run(ask)


@pytest.mark.slow(reason="a process that imports the SDK")
def test_nothing_else_is_answered(served: tuple[int, Path]) -> None:
    port, file = served
    assert file.stat().st_mode & 0o777 == 0o600
    bearer = f"Bearer {file.read_text().strip()}"
    own = {"Authorization": bearer, "Content-Type": "application/json"}

    def status(method: str, path: str, headers: dict[str, str]) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=3600)
        connection.request(method, path, PING if method == "POST" else None, headers)
        answer = connection.getresponse()
        assert answer.getheader("Access-Control-Allow-Origin") is None
        connection.close()
        return answer.status

    for path in ("/mcp", "/", "/sse"):
        for method in ("GET", "POST", "DELETE", "OPTIONS"):
            assert status(method, path, {}) == 401
            assert status(method, path, {**own, "Authorization": "Bearer no"}) == 401
            assert status(method, path, {**own, "Host": "evil.example"}) == 403
            assert status(method, path, {**own, "Origin": "http://evil.example"}) == 403
            assert status(method, path, {**own, "Origin": "null"}) == 403
    assert status("POST", "/mcp", {**own, "Content-Type": "text/plain"}) == 415
    assert status("POST", "/other", own) == 404
    assert status("POST", "/mcp", {**own, "Origin": f"http://localhost:{port}"}) not in {401, 403}


def test_a_token_that_others_can_read_ends_the_start(tmp_path: Path) -> None:
    with built_tree(tmp_path / "shop", SOURCE) as workspace:
        state = tmp_path / "state"
        (state / "mubase").mkdir(parents=True)
        (state / "mubase" / "mcp_token").write_text("ab" * 32)
        (state / "mubase" / "mcp_token").chmod(0o644)
        done = subprocess.run(
            [sys.executable, "-m", "mu", "mcp", "serve", "--http", "0"],
            env={**environment(workspace.root), "XDG_STATE_HOME": str(state)},
            cwd=workspace.root,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "is no token that only you can read" in done.stderr
