"""Ask the daemon: its answers are those that opening the graph file gives."""

import http.client
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate

import msgspec

from mu import __version__
from mu.client.calls import Failure, P, R, arguments, result_type
from mu.client.record import DaemonRecord, read_record
from mu.errors import ExitCode, MuError
from mu.model.closing import Closing
from mu.operations.workspace import Workspace

TIMEOUT = 120.0
"""Seconds that an answer may take."""

_HOST = "127.0.0.1"
_NOT_SERVED = 404


class DaemonError(MuError):
    """The daemon does not run, does not answer, or refuses; the hint names a command."""

    def __init__(self, message: str, hint: str = "run `mu daemon start`") -> None:
        super().__init__(message, hint, ExitCode.FAILED)


class NotServedError(DaemonError):
    """The daemon does not serve this workspace, or cannot be sent this call."""


class ServedStatus(msgspec.Struct, frozen=True):
    """A workspace as the daemon serves it; `failure` is what the last build ended with."""

    root: str
    has_graph: bool
    is_building: bool
    watched_folders: int
    failure: str = ""


class DaemonStatus(msgspec.Struct, frozen=True):
    """A daemon: its version and process, seconds since start, requests so far, and workspaces."""

    version: str
    pid: int
    uptime: float
    requests: int
    workspaces: tuple[ServedStatus, ...]


class DaemonClient(Closing):
    """A connection to the user's daemon; a context manager, for one thread at a time.

    `timeout` is in seconds. Every method raises DaemonError when the daemon does not answer in
    time, and the MuError that an operation raised.
    """

    def __init__(self, record: DaemonRecord, *, timeout: float = TIMEOUT) -> None:
        self.record = record
        self._connection = http.client.HTTPConnection(_HOST, record.port, timeout=timeout)

    @classmethod
    def connect(cls, folder: Path | None = None, *, timeout: float = TIMEOUT) -> "DaemonClient":
        """Connect to the daemon of the user, or of the state folder `folder`.

        Raises DaemonError when none runs, or one of another version of MU does.
        """
        if folder is None:
            from mu.config import state_folder

            folder = state_folder()
        record = read_record(folder)
        if record is None:
            raise DaemonError("no daemon runs")
        if record.version != __version__:
            raise DaemonError(
                f"the daemon is of mu {record.version}, this is {__version__}",
                "run `mu daemon stop`, then `mu daemon start`",
            )
        return cls(record, timeout=timeout)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def ask(
        self,
        root: Path,
        operation: Callable[Concatenate[Workspace, P], R],
        *given: P.args,
        **named: P.kwargs,
    ) -> R:
        """Call an operation on the workspace of `root`, with its arguments and its result.

        Raises NotServedError when the daemon does not serve it.
        """
        sent = arguments(operation, given=given, named=named)
        if sent is None:
            raise NotServedError(f"`{operation.__name__}` cannot be sent with these arguments")
        body = {"workspace": str(root), "arguments": sent}
        content = self._post(f"/v1/{operation.__name__}", body)
        answer: R = msgspec.json.decode(content, type=result_type(operation))
        return answer

    def serve(self, root: Path) -> None:
        """Have the daemon serve the workspace of `root` and follow its files from now on."""
        self._post("/workspaces", {"workspace": str(root)})

    def status(self) -> DaemonStatus:
        """Ask what the daemon serves."""
        return msgspec.json.decode(self._request("GET", "/status", b""), type=DaemonStatus)

    def stop(self) -> None:
        """Ask the daemon to end; builds that it runs are ended with it."""
        self._post("/stop", {})

    def _post(self, path: str, body: object) -> bytes:
        return self._request("POST", path, msgspec.json.encode(body))

    def _request(self, method: str, path: str, body: bytes) -> bytes:
        headers = {"Authorization": f"Bearer {self.record.token}"}
        if body:
            headers["Content-Type"] = "application/json"
        try:
            self._connection.request(method, path, body or None, headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise DaemonError(f"the daemon does not answer: {type(error).__name__}") from error
        if response.status == http.client.OK:
            return content
        try:
            failure = msgspec.json.decode(content, type=Failure)
        except msgspec.DecodeError as error:
            raise DaemonError(f"the daemon answered with status {response.status}") from error
        if response.status == _NOT_SERVED:
            raise NotServedError(failure.message, failure.hint)
        raise failure.error()
