"""Install MU into an assistant's configuration, and take it out again to the byte.

Files are edited as text: other keys, comments and formatting stay. What was added is remembered in
the user's state folder, so that uninstalling removes just that; a file that MU made is deleted when
nothing else has been added to it since.
"""

import contextlib
import json
import os
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

import msgspec

from mu.errors import ExitCode, MuError
from mu.mcp import jsonc
from mu.mcp.clients import ConfigScope, Form, McpClient

NAME = "mu"

_BLANK = " \t\r\n\ufeff"

_AGENT_FILES = {
    ".claude/agents/mu-agent.md": "claude_agent.md",
    ".claude/skills/mu/SKILL.md": "claude_skill.md",
}
"""Files of Claude Code beside the server: a subagent and a skill."""


class Action(StrEnum):
    """What happens to a file."""

    CREATE = "create"
    EDIT = "edit"
    REMOVE = "remove"
    DELETE = "delete"
    KEEP = "unchanged"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a file: its `text` afterwards, None when deleted, and the text that is added."""

    path: Path
    action: Action
    text: str | None
    added: str = ""


class _Record(msgspec.Struct):
    """What was added to a file; `is_whole` when MU made the file, `folder` the first it made."""

    added: str
    is_whole: bool = False
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Installer:
    """Plans and makes the changes for one repository and one user.

    `command` starts the server; `records` is the file that remembers what was added.
    """

    root: Path
    home: Path
    command: Sequence[str]
    records: Path

    def plan_install(self, client: McpClient, scope: ConfigScope) -> list[Change]:
        """Plan the changes that add MU; raises MuError when a file can't be edited safely."""
        path = self._config(client, scope)
        self._check_inside(path, scope)
        changes = [self._added(client, path)]
        if client.name == "claude":
            base = self.root if scope is ConfigScope.PROJECT else self.home
            texts = files("mu.mcp") / "data"
            for name, source in _AGENT_FILES.items():
                text = (texts / source).read_text(encoding="utf-8")
                changes.append(_whole(base / name, text))
        return changes

    def plan_uninstall(self, client: McpClient, scope: ConfigScope) -> list[Change]:
        """Plan the changes that take MU out again, last things first: folders end up empty."""
        base = self.root if scope is ConfigScope.PROJECT else self.home
        paths = [self._config(client, scope)]
        paths += [base / name for name in _AGENT_FILES] if client.name == "claude" else []
        known = self._read_records()
        return [self._removed(path, known.get(str(path))) for path in reversed(paths)]

    def apply(self, changes: Iterable[Change]) -> None:
        """Make the changes, and remember what was added."""
        known = self._read_records()
        for change in changes:
            if change.action is Action.KEEP:
                continue
            before = known.pop(str(change.path), _Record(""))
            if change.text is None:
                change.path.resolve().unlink()
                _remove_empty_folders(change.path.parent, first=before.folder)
                continue
            folder = _made_folder(change.path.parent)
            _write(change.path, change.text)
            if change.added:
                is_whole = change.action is Action.CREATE
                known[str(change.path)] = _Record(change.added, is_whole, folder)
        self.records.parent.mkdir(parents=True, exist_ok=True)
        self.records.write_bytes(msgspec.json.format(msgspec.json.encode(known)))

    def _config(self, client: McpClient, scope: ConfigScope) -> Path:
        path = client.file(scope, root=self.root, home=self.home)
        if path is None:
            other = next(each for each in ConfigScope if each is not scope)
            raise MuError(
                f"{client.title} has no configuration of a {scope.value}",
                f"use --scope {other.value}",
                ExitCode.USAGE,
            )
        return path

    def _check_inside(self, path: Path, scope: ConfigScope) -> None:
        """Raise MuError for a file of the repository that a link leads out of it."""
        root = self.root.resolve()
        if scope is ConfigScope.PROJECT and not path.resolve().is_relative_to(root):
            raise MuError(
                f"{path} is a link that leads out of the repository",
                "replace it by a file, or use --scope user",
            )

    def _added(self, client: McpClient, path: Path) -> Change:
        text = _read(path)
        first, *rest = self.command
        if client.form is Form.TOML:
            return _added_toml(path, text, f"{client.key}.{NAME}", first, rest)
        entry: dict[str, object] = {"command": first, "args": rest}
        if client.takes_type:
            entry = {"type": "stdio", **entry}
        if text is None or not text.strip(_BLANK):
            whole = json.dumps({client.key: {NAME: entry}}, indent=2) + "\n"
            action = Action.CREATE if text is None else Action.EDIT
            before = text or ""
            whole = whole.replace("\n", "\r\n") if "\r\n" in before else whole
            mark = "\ufeff" if before.startswith("\ufeff") else ""
            return Change(path, action, mark + whole + before.removeprefix(mark), whole)
        if jsonc.has(text, (client.key, NAME)):
            return Change(path, Action.KEEP, text)
        new, _, added = jsonc.insert(text, (client.key, NAME), value=entry)
        return Change(path, Action.EDIT, new, added)

    def _removed(self, path: Path, record: _Record | None) -> Change:
        text = _read(path)
        if text is None or record is None:
            return Change(path, Action.KEEP, text)
        if record.is_whole and text == record.added:
            return Change(path, Action.DELETE, None)
        rest = _without(path, text, record.added)
        if rest is None:
            raise MuError(
                f"{path}: what was added has been edited since",
                f'take the entry "{NAME}" out by hand',
            )
        return Change(path, Action.REMOVE, rest)

    def _read_records(self) -> dict[str, _Record]:
        try:
            return msgspec.json.decode(self.records.read_bytes(), type=dict[str, _Record])
        except (FileNotFoundError, msgspec.MsgspecError):
            return {}


def _added_toml(
    path: Path, text: str | None, table: str, command: str, arguments: Sequence[str]
) -> Change:
    """Add a table to the end of a TOML document."""
    before = text or ""
    try:
        known: object = _toml(before)
    except tomllib.TOMLDecodeError as error:
        raise MuError(
            f"{path} is not TOML: {error}", "mend it first; nothing was changed"
        ) from None
    for key in table.split("."):
        known = known.get(key) if isinstance(known, dict) else None
    if known is not None:
        return Change(path, Action.KEEP, before)
    block = f"[{table}]\ncommand = {json.dumps(command)}\nargs = {json.dumps(list(arguments))}\n"
    gap = "" if not before.strip("\ufeff") else "\n" if before.endswith("\n") else "\n\n"
    added = gap + block
    if "\r\n" in before:
        added = added.replace("\n", "\r\n")
    try:
        _toml(before + added)
    except tomllib.TOMLDecodeError:
        raise MuError(
            f"{path} has its servers in one line, to which no table can be added",
            f"add to it by hand: {block!r}",
        ) from None
    return Change(path, Action.CREATE if text is None else Action.EDIT, before + added, added)


def _toml(text: str) -> dict[str, object]:
    """Read TOML; a byte-order mark counts for nothing, as for the clients."""
    return tomllib.loads(text.removeprefix("\ufeff"))


def _without(path: Path, text: str, added: str) -> str | None:
    """Take what was added out of a text; None when it is not there once, or the rest is broken.

    A comma behind what was the only member goes with it.
    """
    if text.count(added) == 1:
        rest = text.replace(added, "", 1)
        if path.suffix != ".json" or not rest.strip(_BLANK) or jsonc.is_object(rest):
            return rest
    entry = f"{added.rstrip()},"
    rest = text.replace(entry, "", 1)
    return rest if text.count(entry) == 1 and jsonc.is_object(rest) else None


def _whole(path: Path, text: str) -> Change:
    """Plan a file of MU's own; one that is there and differs is somebody's and stays."""
    before = _read(path)
    if before is not None:
        return Change(path, Action.KEEP, before)
    return Change(path, Action.CREATE, text, text)


def _read(path: Path) -> str | None:
    """Read a file byte for byte as text; None when it is not there."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise MuError(f"{path} is not UTF-8", "mend it first; nothing was changed") from None
    except OSError as error:
        raise MuError(f"cannot read {path}: {error.strerror}", "nothing was changed") from error


def _write(path: Path, text: str) -> None:
    """Write a file by a rename, so that it is never half written; a link stays a link."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    descriptor, draft = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
        Path(draft).chmod(mode)
        Path(draft).replace(target)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """The permissions that new files do not get; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _made_folder(folder: Path) -> str:
    """Make a folder and those above it; give the first one that was not there, or nothing."""
    first = ""
    for each in (folder, *folder.parents):
        if each.exists():
            break
        first = str(each)
    folder.mkdir(parents=True, exist_ok=True)
    return first


def _remove_empty_folders(folder: Path, *, first: str) -> None:
    """Remove empty folders from this one up to the first that was made."""
    if not first or not folder.is_relative_to(first):
        return
    with contextlib.suppress(OSError):  # something was put into one of them since
        while str(folder) != first:
            folder.rmdir()
            folder = folder.parent
        folder.rmdir()
