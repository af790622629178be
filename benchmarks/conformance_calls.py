"""What the conformance run asks: a call of each tool with what must be in its answer."""

SOURCE = {
    "shop/store.py": """\
class Base:
    def find(self, key):
        raise NotImplementedError


class Store(Base):
    limit = 3

    def find(self, key):
        return key


def order(store: Store, key):
    return store.find(key)


def page(key):
    return order(Store(), key)
""",
    "tests/test_store.py": """\
from shop.store import order, Store


def test_order():
    assert order(Store(), 1) == 1
""",
    "README.md": "# Shop\n\nSee `shop/store.py`.\n",
}
"""The repository that is asked about."""

CALLS: dict[str, tuple[dict[str, object], str]] = {
    "mu_find": ({"words": "store"}, "shop/store.py:6"),
    "mu_callers": ({"node": "order"}, "shop/store.py:18"),
    "mu_callees": ({"node": "order"}, "store.find(key)"),
    "mu_references": ({"node": "order"}, "tests/test_store.py:1"),
    "mu_impact": ({"node": "order"}, "tests/test_store.py"),
    "mu_path": ({"start": "page", "goal": "Store.find"}, "page -> order"),
    "mu_hierarchy": ({"node": "Store"}, "Store.find  overrides Base"),
    "mu_structure": ({"what": "members", "node": "Store"}, "Store.limit"),
    "mu_tests": ({"node": "order"}, "in test_order"),
    "mu_read": ({"node": "order"}, "return store.find(key)"),
    "mu_context": ({"question": "how is a key found?"}, "def find"),
    "mu_query": ({"muql": "SELECT name FROM functions ORDER BY name"}, "order"),
    "mu_ask": ({"question": "what calls order?"}, "shop/store.py:18"),
    "mu_status": ({}, "up to date"),
}
"""Every tool: its arguments, and a part of the answer."""

SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-error",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
)
"""The official scenarios that need no tools, resources or prompts of the suite's own."""
