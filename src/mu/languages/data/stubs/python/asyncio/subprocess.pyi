from asyncio import StreamReader, StreamWriter
from typing import Any

PIPE: int
STDOUT: int
DEVNULL: int

class Process:
    pid: int
    returncode: int | None
    stdin: StreamWriter
    stdout: StreamReader
    stderr: StreamReader
    async def wait(self) -> int: ...
    async def communicate(self, input: Any = ...) -> tuple[bytes, bytes]: ...
    def send_signal(self, signal: int) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...
