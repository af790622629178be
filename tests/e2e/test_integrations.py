"""What is there to copy into other repositories: its commands run, and do what they say."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from e2e.command import environment, mu, write_tree

SHIPPED = Path(__file__).parents[2] / "docs/integrations"
RULES = """
[[check.contract]]
name = "The model knows no web"
type = "forbidden"
source = ["shop.model"]
target = ["shop.web"]
"""
FILES = {
    ".gitignore": ".mubase*\n",
    "mu.toml": RULES,
    "shop/__init__.py": "",
    "shop/model.py": "def price(item, rate):\n    return item * rate\n",
    "shop/web.py": "from shop.model import price\n\n\ndef page():\n    return price(2, 3)\n",
    "tests/test_shop.py": "from shop.web import page\n\n\ndef test_page():\n    assert page()\n",
}
BROKEN = {"shop/model.py": "import shop.web\n\n\ndef price(item):\n    return shop.web, item\n"}


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=n@n")
    command = ["git", "-C", str(folder), *who, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = write_tree(tmp_path / "shop", FILES)
    git(root, "init", "-qb", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "First")
    git(root, "tag", "v1")
    return root


def run(command: list[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**environment(folder), "PATH": path, **more}
    return subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


@pytest.mark.slow("runs commands in processes of their own")
@pytest.mark.parametrize(
    ("files", "check", "status"),
    [({}, "true", 0), (BROKEN, "true", 1), (BROKEN, "false", 0)],
    ids=["nothing new", "a new violation", "without the rules"],
)
def test_the_action_reviews_a_branch(
    shop: Path, files: dict[str, str], check: str, status: int
) -> None:
    write_tree(shop, {**files, "shop/more.py": "def more():\n    return 1\n"})
    git(shop, "add", "-A")
    git(shop, "commit", "-qm", "Second")
    action = yaml.safe_load((SHIPPED / "github/action.yml").read_text())
    (step,) = action["runs"]["steps"]
    assert set(step["env"]) == {"REVIEW_BASE", "REVIEW_CHECK"}
    outputs, summary = (shop.parent / name for name in ("outputs", "summary"))

    done = run(
        ["bash", "-c", step["run"]],
        shop,
        REVIEW_BASE="v1",
        REVIEW_CHECK=check,
        RUNNER_TEMP=str(shop.parent),
        GITHUB_OUTPUT=str(outputs),
        GITHUB_STEP_SUMMARY=str(summary),
    )

    assert done.returncode == status, done.stderr
    given = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    assert {f"${{{{ steps.mu.outputs.{name} }}}}" for name in given} == {
        one["value"] for one in action["outputs"].values()
    }
    comment = Path(given["comment"]).read_text()
    assert comment == summary.read_text()
    assert ("parameter rate was removed" in comment) == bool(files)
    tests = Path(given["tests"]).read_text().splitlines()
    assert tests == (["tests/test_shop.py::test_page"] if files else [])
    assert len(list(Path(given["sarif"]).iterdir())) == 1 + (check == "true")
    assert ("The model knows no web" in done.stdout) == (status == 1)


@pytest.mark.slow("runs commands in processes of their own")
def test_the_hook_lets_no_new_violation_in(shop: Path) -> None:
    config = yaml.safe_load((SHIPPED / "pre-commit/pre-commit-config.yaml").read_text())
    (hook,) = config["repos"][0]["hooks"]
    assert (hook["language"], hook["pass_filenames"]) == ("system", False)
    command = shlex.split(hook["entry"])

    before = run(command, shop)
    write_tree(shop, BROKEN)
    after = run(command, shop)

    assert (before.returncode, after.returncode) == (0, 1), before.stderr + after.stderr
    assert "The model knows no web" in after.stdout


def test_the_workflow_of_code_hosts_uses_the_action() -> None:
    workflow = yaml.safe_load((SHIPPED / "github/review.yml").read_text())
    steps = workflow["jobs"]["review"]["steps"]
    action = yaml.safe_load((SHIPPED / "github/action.yml").read_text())
    text = (SHIPPED / "github/review.yml").read_text()

    assert "./.github/actions/mu-review" in [step.get("uses") for step in steps]
    used = {name for name in action["outputs"] if f"steps.review.outputs.{name}" in text}
    assert used >= {"comment", "sarif"}


@pytest.mark.slow("builds three graphs")
def test_release_notes_tell_what_is_public(shop: Path) -> None:
    text = "@property\ndef more():\n    return 1\n\n\ndef _private():\n    return 2\n"
    write_tree(shop, {"shop/model.py": "def price(item):\n    return item\n", "shop/web.py": text})
    git(shop, "add", "-A")
    git(shop, "commit", "-qm", "Second")
    assert mu("kernel", "build", cwd=shop).returncode == 0

    notes = mu("workflow", "run", "release-notes", "revisions=v1..HEAD", cwd=shop)

    assert notes.returncode == 0, notes.stderr
    lines = notes.stdout.splitlines()
    assert lines[lines.index("## Breaking") + 2 :] == [
        "- function `shop.model.price`: parameter rate was removed",
        "- function `shop.web.page`: was removed",
        "",
        "## Added",
        "",
        "- `property` function `shop.web.more`",
    ]
