"""What small models write, and what becomes of it."""

import pytest

from mu.agent.models.json_protocol import Call, Correction, Done, parse_reply

TOOLS = ("mu_search", "mu_deps", "mu_cycles")
SEARCH = Call("mu_search", {"words": "login"})
PLAIN = '{"tool": "mu_search", "args": {"words": "login"}}'
DONE = '{"done": true, "response": "It is there."}'

TAKEN = [
    (PLAIN, SEARCH),
    (f"```json\n{PLAIN}\n```", SEARCH),
    (f"```\n{PLAIN}\n```", SEARCH),
    (f"```json\n{PLAIN}", SEARCH),
    (f"Let me look.\n{PLAIN}", SEARCH),
    (f"{PLAIN}\nThat should find it.", SEARCH),
    (f"I'll search, it's easy: {PLAIN} Don't worry.", SEARCH),
    (PLAIN.replace('"', "'"), SEARCH),
    ('{"tool": "mu_search", "args": {"words": "login",},}', SEARCH),
    ("{'tool': 'mu_search', 'args': {'words': 'login',},}", SEARCH),
    ('{\n  "tool": "mu_search",\n  "args": {\n    "words": "login"\n  }\n}', SEARCH),
    ('{"tool": "mu_search", "args": "{\\"words\\": \\"login\\"}"}', SEARCH),
    ('{"args": {"words": "login"}, "tool": "mu_search"}', SEARCH),
    ('  \n\t{"tool":"mu_search","args":{"words":"login"}}  ', SEARCH),
    ('{"tool": "mu_cycles", "args": {}}', Call("mu_cycles", {})),
    ('{"tool": "mu_cycles"}', Call("mu_cycles", {})),
    ('{"tool": "mu_deps", "args": {"depth": 2}}', Call("mu_deps", {"depth": 2})),
    ('{"tool": "mu_deps", "args": {"node": "it\'s"}}', Call("mu_deps", {"node": "it's"})),
    ('{"thought": "hm", "tool": "mu_cycles", "args": {}}', Call("mu_cycles", {})),
    ('Example: {"a": 1}. Mine: {"tool": "mu_cycles", "args": {}}', Call("mu_cycles", {})),
    (DONE, Done("It is there.")),
    (f"```json\n{DONE}\n```", Done("It is there.")),
    ("{'done': true, 'response': 'It is there.'}", Done("It is there.")),
    ("{'done': True, 'response': 'It is there.'}", Done("It is there.")),
    ('{"done": true, "response": "two\nlines"}', Done("two\nlines")),
    ('{"done": true, "response": "```py\\nd = {1: 2}\\n```"}', Done("```py\nd = {1: 2}\n```")),
    ('{"done": true, "response": "a } brace { or two"}', Done("a } brace { or two")),
    ('{"done": true, "response": "she said \\"no\\""}', Done('she said "no"')),
    ('{"done": true, "response": "{\\"tool\\": 1}"}', Done('{"tool": 1}')),
    ('{"done": true, "response": "é \N{SNOWMAN}"}', Done("é \N{SNOWMAN}")),
]  # fmt: skip

REFUSED = [
    ("", "no JSON object"),
    ("I do not know.", "no JSON object"),
    ('{"tool": "mu_cycles", "done": true, "response": "x"}', "both `tool` and `done`"),
    ('{"answer": "x"}', "neither `tool` nor `done`"),
    ("{}", "neither `tool` nor `done`"),
    ('{"done": false, "response": "x"}', "`done` is not true"),
    ('{"done": true}', "`response` has to be a text"),
    ('{"done": true, "response": ""}', "`response` has to be a text"),
    ('{"done": true, "response": ["x"]}', "`response` has to be a text"),
    ('{"tool": "rm", "args": {}}', "there is no tool 'rm'; the tools are mu_search, mu_deps"),
    ('{"tool": ["mu_cycles"], "args": {}}', "there is no tool"),
    ('{"tool": "mu_cycles", "args": []}', "`args` has to be an object; it may be {}"),
    ('{"tool": "mu_cycles", "args": "none"}', "`args` has to be an object"),
    ('{"tool": "mu_search", "args": {"words": "lo', "line 1, column 41: Unterminated string"),
    ('{"tool": "mu_search", "args": {"words": }}', "line 1, column 41: Expecting value"),
    (PLAIN + PLAIN, "2 objects in one reply"),
    (PLAIN + "\n" + DONE, "2 objects in one reply"),
    ("[1, 2]", "no JSON object"),
    ("{" * 3000, "line 1, column 2"),
    ("x" * 300_000, "300,000 characters"),
]


@pytest.mark.parametrize(("reply", "turn"), TAKEN)
def test_a_reply_that_can_be_read_is_taken(reply: str, turn: Call | Done) -> None:
    assert parse_reply(reply, tools=TOOLS) == turn


@pytest.mark.parametrize(("reply", "told"), REFUSED)
def test_a_reply_that_cannot_be_read_is_corrected(reply: str, told: str) -> None:
    turn = parse_reply(reply, tools=TOOLS)

    assert isinstance(turn, Correction)
    assert told in turn.text
    assert '{"done": true, "response": "..."}' in turn.text
