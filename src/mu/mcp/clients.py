"""The assistants that MU can be installed into: where each keeps its servers, and in what form."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class ConfigScope(StrEnum):
    """Where an installation goes: the repository's own configuration, or the user's."""

    PROJECT = "project"
    USER = "user"


class Form(StrEnum):
    """How a configuration file is written."""

    JSON = "json"
    TOML = "toml"


@dataclass(frozen=True, slots=True)
class McpClient:
    """An assistant: its configuration files by scope, and the key its servers stand under.

    A scope that it does not have is empty. `takes_type` says that an entry names its transport.
    """

    name: str
    title: str
    project: str
    user: str
    key: str = "mcpServers"
    form: Form = Form.JSON
    takes_type: bool = False

    def file(self, scope: ConfigScope, *, root: Path, home: Path) -> Path | None:
        """Give the configuration file of a scope; None where the client has none."""
        name = self.project if scope is ConfigScope.PROJECT else self.user
        if not name:
            return None
        return (root if scope is ConfigScope.PROJECT else home) / name


CLIENTS = (
    McpClient("claude", "Claude Code", ".mcp.json", ".claude.json", takes_type=True),
    McpClient("cursor", "Cursor", ".cursor/mcp.json", ".cursor/mcp.json"),
    McpClient(
        "codex", "Codex", ".codex/config.toml", ".codex/config.toml", "mcp_servers", Form.TOML
    ),
    McpClient("gemini", "Gemini CLI", ".gemini/settings.json", ".gemini/settings.json"),
    McpClient("vscode", "VS Code", ".vscode/mcp.json", "", "servers", takes_type=True),
    McpClient("windsurf", "Windsurf", "", ".codeium/windsurf/mcp_config.json"),
    McpClient("zed", "Zed", ".zed/settings.json", ".config/zed/settings.json", "context_servers"),
)
"""Every client, by the name that `mu mcp install` takes."""
