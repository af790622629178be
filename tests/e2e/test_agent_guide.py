"""What the agent's guide shows in Python runs as it stands, each block in a process of its own."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.command import environment, write_tree
from fakes.built import with_graph
from mu.agent import AgentConfig, AgentResponse, ConversationMemory, MUAgent, formats

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "agent.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
STORE = {
    "store.py": (
        "class Store:\n    def save(self):\n        self.write()\n\n    def write(self):\n"
        "        pass\n\n\ndef main(store: Store):\n    store.save()\n"
    ),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("store"), STORE)
    with_graph(folder)
    return folder


@pytest.mark.slow(reason="a process that imports the library of the model")
@pytest.mark.parametrize("place", range(len(BLOCKS)))
def test_a_block_of_the_guide_runs(store: Path, place: int) -> None:
    result = subprocess.run(
        [sys.executable, "-c", BLOCKS[place]],
        cwd=store,
        env=environment(store),
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 0, result.stderr


def test_the_guide_has_python_to_run() -> None:
    assert len(BLOCKS) >= 3


def test_the_guide_names_every_field_method_and_formatter() -> None:
    named = {
        *AgentConfig.__dataclass_fields__,
        *AgentResponse.__dataclass_fields__,
        *ConversationMemory.__dataclass_fields__,
        *(name for name in vars(ConversationMemory) if name.startswith(("add_", "get_"))),
        *(name for name in vars(MUAgent) if not name.startswith("_")),
        *(name for name in vars(formats) if name.startswith("format_")),
    }
    named -= {"close", "model", "provider", "format_description", "format_source"}

    assert sorted(name for name in named if not re.search(rf"[`.]{name}\b", TEXT)) == []
