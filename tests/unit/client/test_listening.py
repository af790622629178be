"""A token is made once, and only a private file holds one."""

import asyncio
import socket
from pathlib import Path

import pytest

from mu.client.listening import kept_token, loopback_socket
from mu.errors import ExitCode, MuError


def test_a_token_is_made_once_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "state" / "token"
    token = kept_token(path)
    assert len(bytes.fromhex(token)) == 32
    assert kept_token(path) == token
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("planted", ["a link", "a folder", "empty", "readable", "longer"])
def test_a_planted_token_is_refused(tmp_path: Path, planted: str) -> None:
    path, other = tmp_path / "token", tmp_path / "other"
    other.write_text("ab" * 32)
    other.chmod(0o600)
    if planted == "a link":
        path.symlink_to(other)
    elif planted == "a folder":
        path.mkdir()
    else:
        path.write_text({"empty": "", "longer": "ab" * 40}.get(planted, "ab" * 32))
        path.chmod(0o640 if planted == "readable" else 0o600)
    with pytest.raises(MuError):
        kept_token(path)


def test_answers_are_sent_at_once() -> None:
    async def is_at_once() -> bool:
        found = asyncio.get_running_loop().create_future()

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            own = writer.get_extra_info("socket")
            found.set_result(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0)
            writer.close()

        with loopback_socket() as listening:
            async with await asyncio.start_server(connected, sock=listening):
                _, writer = await asyncio.open_connection(*listening.getsockname())
                writer.close()
                return bool(await found)

    assert asyncio.run(is_at_once())


def test_a_port_that_is_taken_is_said() -> None:
    with loopback_socket() as taken, pytest.raises(MuError, match="port") as failed:
        loopback_socket(int(taken.getsockname()[1]))
    assert failed.value.code is ExitCode.BUSY
