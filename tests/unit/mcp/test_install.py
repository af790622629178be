"""MU goes into each client's configuration and out of it again to the byte."""

import json
import tomllib
from pathlib import Path

import pytest

from mu.errors import MuError
from mu.mcp.clients import CLIENTS, ConfigScope, Form, McpClient
from mu.mcp.install import Action, Installer

OWN = {
    Form.JSON: '{\n\t// mine\n\t"theme": "dark", /* } */\n\t"KEY": {\n'
    '\t\t"other": {"a": [1,]},\n\t},\n}\n',
    Form.TOML: '# mine\n[a]\nb = 1\n\n[KEY.other]\ncommand = "x" # tail',
}
PLACES = [
    pytest.param(client, scope, id=f"{client.name} {scope.value}")
    for client in CLIENTS
    for scope in ConfigScope
    if client.file(scope, root=Path(), home=Path()) is not None
]


@pytest.fixture
def installer(tmp_path: Path) -> Installer:
    root, home = tmp_path / "repository", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    return Installer(root, home, ["mu", "mcp"], tmp_path / "state" / "install.json")


def place(installer: Installer, client: McpClient, scope: ConfigScope) -> Path:
    path = client.file(scope, root=installer.root, home=installer.home)
    assert path is not None
    return path


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder below one, with the bytes of files."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if "state" not in path.parts
    }


@pytest.mark.parametrize(("client", "scope"), PLACES)
@pytest.mark.parametrize("is_there", [False, True])
def test_installing_twice_and_uninstalling_leaves_the_bytes(
    installer: Installer, client: McpClient, scope: ConfigScope, *, is_there: bool
) -> None:
    path = place(installer, client, scope)
    if is_there:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(OWN[client.form].replace("KEY", client.key).encode())
    before = tree(installer.root.parent)

    installer.apply(installer.plan_install(client, scope))
    installed = tree(installer.root.parent)
    assert installed != before
    again = installer.plan_install(client, scope)
    assert {change.action for change in again} == {Action.KEEP}
    installer.apply(again)
    assert tree(installer.root.parent) == installed

    installer.apply(installer.plan_uninstall(client, scope))
    assert tree(installer.root.parent) == before


@pytest.mark.parametrize(("client", "scope"), PLACES)
def test_the_entry_starts_the_server(
    installer: Installer, client: McpClient, scope: ConfigScope
) -> None:
    installer.apply(installer.plan_install(client, scope))
    text = place(installer, client, scope).read_text()
    read = tomllib.loads if client.form is Form.TOML else json.loads
    entry = read(text)[client.key]["mu"]
    assert (entry["command"], entry["args"]) == ("mu", ["mcp"])


def test_an_entry_edited_since_is_not_torn_out(installer: Installer) -> None:
    client = CLIENTS[0]
    installer.apply(installer.plan_install(client, ConfigScope.PROJECT))
    path = place(installer, client, ConfigScope.PROJECT)
    path.write_text(path.read_text().replace('"mcp"', '"mcp", "--http", "1"'))
    with pytest.raises(MuError, match="has been edited since"):
        installer.plan_uninstall(client, ConfigScope.PROJECT)


@pytest.mark.parametrize("text", ["{", "not json", '{"mcpServers": 3}'])
def test_a_file_that_is_broken_is_left_alone(installer: Installer, text: str) -> None:
    path = installer.root / ".mcp.json"
    path.write_text(text)
    with pytest.raises(MuError, match="is not JSON with comments"):
        installer.plan_install(CLIENTS[0], ConfigScope.PROJECT)
    assert path.read_text() == text


def test_a_link_stays_a_link_and_a_mode_stays(installer: Installer) -> None:
    real = installer.home / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o600)
    link = installer.home / ".claude.json"
    link.symlink_to(real)
    installer.apply(installer.plan_install(CLIENTS[0], ConfigScope.USER))
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert "mu" in json.loads(real.read_text())["mcpServers"]
