"""A member goes into a document with comments, and nothing else of it changes."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mu.errors import MuError
from mu.mcp import jsonc

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
COMMENTS = st.sampled_from(["", "\n// } a {\n", '/* "] */', "\t", "\r\n"])


@given(
    document=st.dictionaries(st.sampled_from(["servers", "a", "b"]), PLAIN, max_size=3),
    indent=st.sampled_from([None, 2, "\t"]),
    comment=COMMENTS,
)
def test_what_is_added_is_all_that_changes(
    document: dict[str, object], indent: int | str | None, comment: str
) -> None:
    if "servers" in document:
        document["servers"] = {"x": document["servers"]}
    plain = json.dumps(document, indent=indent)
    text = comment + plain.replace(": ", f": {comment}") if '": ' not in plain[1:-1] else plain
    new, place, added = jsonc.insert(text, ("servers", "mu"), value={"command": "mu"})
    assert new[:place] + new[place + len(added) :] == text
    assert jsonc.has(new, ("servers", "mu"))
    assert not jsonc.has(text, ("servers", "mu"))
    if not comment:
        expected = {
            **document,
            "servers": {**dict(document.get("servers") or {}), "mu": {"command": "mu"}},
        }  # type: ignore[call-overload] # an object, made so above
        assert json.loads(new) == expected


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3", '{"a"}', '{"a" 1}', '{"servers": [}', '{"a": "', '{"servers": 3}', "{'a': 1}"],
)
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(MuError, match="is not JSON with comments"):
        jsonc.insert(text, ("servers", "mu"), value={})


def test_trailing_commas_and_comments_stay() -> None:
    text = '{\n  // mine\n  "servers": {\n    "x": [1, /* ] */ 2,], // tail\n  },\n}\n'
    new, _, added = jsonc.insert(text, ("servers", "mu"), value=1)
    assert added == '\n    "mu": 1,'
    assert re.sub(re.escape(added), "", new) == text
