"""MU goes into each client's configuration and out of it again to the byte."""

import json
import tomllib
from pathlib import Path

import pytest

from mu.errors import MuError
from mu.mcp.clients import CLIENTS, ConfigScope, Form, McpClient
from mu.mcp.install import Action, Installer

JSON = '{\n\t// mine\n\t"theme": "dark", /* } */\n\t"KEY": {\n\t\t"other": {"a": [1,]},\n\t},\n}\n'
TOML = '# mine\n[a]\nb = 1\n\n[KEY.other]\ncommand = "x" # tail\n'
OWN = {
    "comments and foreign keys": (JSON, TOML),
    "no final newline": (JSON.rstrip(), TOML.rstrip()),
    "CRLF": (JSON.replace("\n", "\r\n"), TOML.replace("\n", "\r\n")),
    "a byte-order mark": (f"\ufeff{JSON}", f"\ufeff{TOML}"),
    "spaces": (JSON.replace("\t", "    "), TOML.replace("b =", "  b =")),
    "one line": ('{"a": 1, "KEY": {"other": {}}}', 'KEY.other.command = "x"'),
    "no servers": ('{"a": 1}\n', "a = 1\n"),
    "an empty table": ('{"KEY": {}}', "[KEY]\n"),
    "an empty document": ("{}", "# mine"),
    "an empty file": ("", ""),
    "white space": ("  \n", "  \n"),
    "only a mark": ("\ufeff", "\ufeff"),
    "a mark and white space": ("\ufeff\r\n\t", "\ufeff\r\n\t"),
    "other scripts": ('{"größe": "名🙂", "KEY": {}}\n', '"größe" = "名🙂"\n'),
}
"""What somebody has before: as JSON with comments, and as TOML."""
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
    """Every file and folder below one, with the bytes of files, and where links lead."""
    return {
        str(path.relative_to(folder)): (
            str(path.readlink()).encode()
            if path.is_symlink()
            else path.read_bytes()
            if path.is_file()
            else None
        )
        for path in sorted(folder.rglob("*"))
        if "state" not in path.parts
    }


def goes_in_and_out(installer: Installer, client: McpClient, scope: ConfigScope) -> None:
    """Install, install again and uninstall; nothing changes but by the first and the last."""
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
    assert {change.action for change in installer.plan_uninstall(client, scope)} == {Action.KEEP}


@pytest.mark.parametrize(("client", "scope"), PLACES)
@pytest.mark.parametrize("own", OWN)
def test_a_configuration_has_its_bytes_again(
    installer: Installer, client: McpClient, scope: ConfigScope, own: str
) -> None:
    path = place(installer, client, scope)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = OWN[own][client.form is Form.TOML].replace("KEY", client.key)
    path.write_bytes(text.encode())

    goes_in_and_out(installer, client, scope)

    installer.apply(installer.plan_install(client, scope))
    installed = path.read_bytes().decode().removeprefix("\ufeff")
    assert ("\n" in installed.replace("\r\n", "")) is (own != "CRLF" and "\r" not in text)


@pytest.mark.parametrize(("client", "scope"), PLACES)
@pytest.mark.parametrize("folder", ["missing", "empty", "a link"])
def test_folders_are_as_before(
    installer: Installer, client: McpClient, scope: ConfigScope, folder: str
) -> None:
    path = place(installer, client, scope)
    if folder != "missing":
        path.parent.mkdir(parents=True, exist_ok=True)
    if folder == "a link":
        base = installer.root if scope is ConfigScope.PROJECT else installer.home
        (base / "kept.conf").write_bytes(
            OWN["an empty document"][client.form is Form.TOML].encode()
        )
        path.symlink_to(base / "kept.conf")

    goes_in_and_out(installer, client, scope)


def test_a_link_to_nothing_gets_its_file_and_stays(installer: Installer) -> None:
    link = installer.home / ".claude.json"
    link.symlink_to(installer.home / "dotfiles" / "claude.json")
    installer.apply(installer.plan_install(CLIENTS[0], ConfigScope.USER))
    assert "mu" in json.loads(link.read_text())["mcpServers"]
    installer.apply(installer.plan_uninstall(CLIENTS[0], ConfigScope.USER))
    assert link.is_symlink()
    assert not link.exists()


def test_a_link_out_of_the_repository_is_not_followed(installer: Installer) -> None:
    outside = installer.home / "settings.json"
    outside.write_text("{}")
    (installer.root / ".mcp.json").symlink_to(outside)
    with pytest.raises(MuError, match="leads out of the repository"):
        installer.plan_install(CLIENTS[0], ConfigScope.PROJECT)
    assert outside.read_text() == "{}"


def test_a_member_that_was_added_behind_stays_sound(installer: Installer) -> None:
    path = installer.root / ".mcp.json"
    path.write_text('{"mcpServers": {}}')
    installer.apply(installer.plan_install(CLIENTS[0], ConfigScope.PROJECT))
    installed = path.read_text()
    path.write_text(f'{installed.rstrip().removesuffix("}}").rstrip()}, "other": {{}}}}}}')
    installer.apply(installer.plan_uninstall(CLIENTS[0], ConfigScope.PROJECT))
    assert json.loads(path.read_text()) == {"mcpServers": {"other": {}}}


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


def test_servers_in_one_line_of_toml_are_left_alone(installer: Installer) -> None:
    path = installer.root / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text('mcp_servers = { other = { command = "x" } }\n')
    with pytest.raises(MuError, match="in one line, to which no table can be added"):
        installer.plan_install(
            next(client for client in CLIENTS if client.form is Form.TOML), ConfigScope.PROJECT
        )


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
