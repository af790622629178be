"""Install MU into an assistant's configuration, and take it out again to the byte.

Files are edited as text: other keys, comments and formatting stay. What was added is remembered in
the user's state folder, so that uninstalling removes just that; a file that MU made is deleted when
nothing else has been added to it since.
"""

import json
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
    """What was added to a file; `is_whole` when MU made the file."""

    added: str
    is_whole: bool = False


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
        changes = [self._added(client, path)]
        if client.name == "claude":
            base = self.root if scope is ConfigScope.PROJECT else self.home
            texts = files("mu.mcp") / "data"
            for name, source in _AGENT_FILES.items():
                text = (texts / source).read_text(encoding="utf-8")
                changes.append(_whole(base / name, text))
        return changes

    def plan_uninstall(self, client: McpClient, scope: ConfigScope) -> list[Change]:
        """Plan the changes that take MU out again."""
        base = self.root if scope is ConfigScope.PROJECT else self.home
        paths = [self._config(client, scope)]
        paths += [base / name for name in _AGENT_FILES] if client.name == "claude" else []
        known = self._read_records()
        return [self._removed(path, known.get(str(path))) for path in paths]

    def apply(self, changes: Iterable[Change]) -> None:
        """Make the changes, and remember what was added."""
        known = self._read_records()
        for change in changes:
            if change.action is Action.KEEP:
                continue
            if change.text is None:
                change.path.unlink()
                _remove_empty_folders(change.path.parent, above={self.root, self.home})
            else:
                change.path.parent.mkdir(parents=True, exist_ok=True)
                _write(change.path, change.text)
            if change.added:
                is_whole = change.action is Action.CREATE
                known[str(change.path)] = _Record(change.added, is_whole)
            else:
                known.pop(str(change.path), None)
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

    def _added(self, client: McpClient, path: Path) -> Change:
        text = _read(path)
        first, *rest = self.command
        if client.form is Form.TOML:
            return _added_toml(path, text, f"{client.key}.{NAME}", first, rest)
        entry: dict[str, object] = {"command": first, "args": rest}
        if client.takes_type:
            entry = {"type": "stdio", **entry}
        if text is None or not text.strip():
            whole = json.dumps({client.key: {NAME: entry}}, indent=2) + "\n"
            return Change(path, Action.CREATE if text is None else Action.EDIT, whole, whole)
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
        if text.count(record.added) != 1:
            raise MuError(
                f"{path}: what was added has been edited since",
                f'take the entry "{NAME}" out by hand',
            )
        return Change(path, Action.REMOVE, text.replace(record.added, "", 1))

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
        known: object = tomllib.loads(before)
    except tomllib.TOMLDecodeError as error:
        raise MuError(
            f"{path} is not TOML: {error}", "mend it first; nothing was changed"
        ) from None
    for key in table.split("."):
        known = known.get(key) if isinstance(known, dict) else None
    if known is not None:
        return Change(path, Action.KEEP, before)
    block = f"[{table}]\ncommand = {json.dumps(command)}\nargs = {json.dumps(list(arguments))}\n"
    gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
    added = gap + block
    return Change(path, Action.CREATE if text is None else Action.EDIT, before + added, added)


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


def _write(path: Path, text: str) -> None:
    """Write a file by a rename, so that it is never half written; a link stays a link."""
    target = path.resolve()
    draft = target.with_name(f"{target.name}.mu-draft")
    draft.write_bytes(text.encode("utf-8"))
    if target.exists():
        draft.chmod(target.stat().st_mode & 0o777)
    draft.replace(target)


def _remove_empty_folders(folder: Path, *, above: set[Path]) -> None:
    while folder not in above and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
