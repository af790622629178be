"""What is answered without a model where the plain answer would be that there is nothing."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.agent import AgentConfig, MUAgent

FILES = {
    "shop.py": "class Broken(Exception):\n    pass\n\n\ndef check(item):\n    raise Broken\n\n\n"
    "def again(item):\n    raise Broken('again')\n\n\nCHECKS = [check]\n\n\n"
    "def alone():\n    pass\n",
}


FILES["pools.py"] = (
    "class RequestPool:\n    pass\n\n\ndef pool():\n    pass\n\n\ndef pooled():\n"
    "    pool()\n    return RequestPool()\n\n\ndef request():\n    return pooled()\n"
)


@pytest.mark.parametrize(
    ("question", "heading", "named"),
    [
        (
            "who calls check?",
            "Nothing is known to call check; what depends on it:",
            ["CHECKS :: uses"],
        ),
        ("who calls alone?", "Nothing is known to call alone; what depends on it:", ["0 rows"]),
        (
            "what raises Broken?",
            "What raises Broken, or names it otherwise:",
            ["check :: uses", "again :: calls"],
        ),
        ("who calls the request pool?", "What calls request pool:", ["pooled :: calls"]),
        ("what calls pooled things?", "What calls pooled:", ["request :: calls"]),
        ("who calls no such thing?", "No node is called that; this is what a search finds:", []),
        ("who calls nonesuch?", "No node is called that; this is what a search finds:", []),
    ],
)
def test_an_answer_tells_what_is_known(
    question: str, heading: str, named: list[str], tmp_path: Path
) -> None:
    workspace = built_tree(tmp_path, FILES)
    with MUAgent(AgentConfig(provider="offline"), workspace=workspace) as agent:
        answer = agent.ask(question).content

    assert answer.splitlines()[0] == heading
    assert [name for name in named if name not in answer] == [], answer
