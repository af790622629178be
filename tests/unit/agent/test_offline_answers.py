"""What is answered without a model where the plain answer would be that there is nothing."""

from collections.abc import Iterator

import pytest

from fakes.built import built_tree
from mu.agent import AgentConfig, MUAgent
from mu.operations.workspace import Workspace

FILES = {
    "shop.py": "class Broken(Exception):\n    pass\n\n\ndef check(item):\n    raise Broken\n\n\n"
    "def again(item):\n    raise Broken('again')\n\n\nCHECKS = [check]\n\n\n"
    "def alone():\n    pass\n",
}


FILES["pools.py"] = (
    "class RequestPool:\n    pass\n\n\ndef pool():\n    pass\n\n\ndef pooled():\n"
    "    pool()\n    return RequestPool()\n\n\ndef request():\n    return pooled()\n"
)


FILES["stores.py"] = (
    "import shop\n\n\nclass Store:\n    size = 3\n\n    def __init__(self, path, mode='r'):\n"
    "        self.path = path\n\n    def get_cookie(self, key):\n        if not key:\n"
    "            raise shop.Broken(key)\n        raise KeyError(key)\n\n    def _load(self):\n"
    "        return self.get_cookie('a')\n\n\nclass FileStore(Store):\n    pass\n\n\n"
    "def open_store(path) -> Store:\n    return Store(path)\n"
)


FILES["ring.py"] = "import os\n\nfrom stores import Store\n\n\ndef close():\n    import loop\n"
FILES["loop.py"] = "import arc\nimport ring\n"
FILES["arc.py"] = "import bow\n\nHOME = bow.os.environ['HOME']\n"
FILES["bow.py"] = (
    "import os\n\nimport ring\n\n\nasync def draw():\n    return os.getenv('BOW')\n\n\n"
    'def drop():\n    """Deprecated: draw instead."""\n    return ring.Store\n'
)
FILES["faults.py"] = (
    "class PathError(OSError):\n    pass\n\n\nclass Missing(PathError):\n    pass\n\n\n"
    "class Unreadable(Missing):\n    pass\n\n\ndef failed() -> PathError:\n"
    "    return PathError()\n\n\ndef of_error(code):\n    return None\n"
)
FILES["tiny.py"] = (
    "from stores import Store\n\n\nclass TinyStore(Store):\n"
    "    def get_cookie(self, key):\n        pass\n"
)
FILES["all.py"] = "from stores import Store\n"
FILES["run.go"] = "package run\n\ntype Program struct {\n\tSize int\n}\n"
FILES["tty.go"] = "package run\n\nfunc (p *Program) open() {\n}\n\nfunc raw() {\n}\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("answered"), FILES) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "heading", "named"),
    [
        (
            "who calls check?",
            "Nothing is known to call check; what depends on it:",
            ["at module level, CHECKS  (uses)"],
        ),
        ("who calls alone?", "Nothing is known to call alone; what depends on it:", ["0 rows"]),
        (
            "what raises Broken?",
            "What raises Broken, or names it otherwise:",
            ["check :: calls", "again :: calls"],
        ),
        ("who calls the request pool?", "What calls request pool:", ["in pooled"]),
        ("what calls pooled things?", "What calls pooled:", ["in request"]),
        (
            "which exceptions can Store.get_cookie raise?",
            "What Store.get_cookie may raise, by the exceptions that it names:",
            ["$ Broken", "~ builtins.KeyError", "(2 rows"],
        ),
        (
            "what are the arguments of Store?",
            "What is known of Store:",
            ["def __init__(self, path, mode='r')"],
        ),
        ("fields of Store", "What values Store has:", ["Store.size", "Store.path", "(2 rows"]),
        ("methods of Store", "What in Store can be called:", ["get_cookie", "_load", "(3 rows"]),
        (
            "which methods does Store have that deal with cookies?",
            "What in Store is called like cookies:",
            ["get_cookie", "(1 row"],
        ),
        (
            "what's the difference between open_store and request?",
            "What open_store and request are, and what each has or calls that the other does not:",
            [
                "def open_store(path) -> Store",
                "$ Store :: only_by open_store",
                "# pooled :: only_by",
            ],
        ),
        (
            "why does ring.py import stores?",
            "How ring.py leads to stores:",
            ["ring.py:3  from stores import Store", "$ Store :: imports, used_by ring"],
        ),
        ("which functions are async?", "What is async:", ["# draw", "(1 row"]),
        ("find deprecated functions", "What is deprecated:", ["# drop", "(1 row"]),
        (
            "where are environment variables read?",
            "What reads the environment:",
            ["# draw :: read_by os.getenv"],
        ),
        (
            "which error types are there?",
            "What is called like error types, extends what is, or lies in it; it may not be all:",
            ["$ PathError", "$ Unreadable", "# failed", "# of_error"],
        ),
        (
            "how do failed and of_error differ?",
            "What failed and of_error are, and what each has or calls that the other does not:",
            ["return PathError()", "return None"],
        ),
        (
            "how many stores are there?",
            "What is called like stores, extends what is, or lies in it; it may not be all:",
            ["$ Store ", "$ TinyStore"],
        ),
        (
            "how many zebras are there?",
            "Nothing is known by that word; this is what a search finds:",
            [],
        ),
        (
            "what does open_store do?",
            "What open_store is, and what it calls:",
            ["-> Store  stores.py:4"],
        ),
        ("how long is bow.py?", "How long bow.py is:", ["bow.py:1-12"]),
        (
            "who uses Store outside of tests?",
            "What depends on Store outside of tests:",
            ["in open_store"],
        ),
        (
            "who implements Store.get_cookie?",
            "What extends Store.get_cookie:",
            ["in TinyStore.get_cookie  (overrides)"],
        ),
        (
            "which modules form import cycles?",
            "Cycles of imports:",
            ["(4 in the component)", "arc.py\nbow.py\nloop.py\nring.py"],
        ),
        (
            "constructors of Store",
            "What makes Store, by its name or by what it says that it returns:",
            ["__init__", "open_store"],
        ),
        (
            "what happens when open_store is called?",
            "What open_store is, and what it calls:",
            ["def open_store(path) -> Store", "-> Store  stores.py:4"],
        ),
        (
            "overview of stores.py",
            "What stores.py is, and what is in it:",
            ["! stores.py :: module", "$ FileStore", "# open_store"],
        ),
        (
            "public API of stores",
            "What is public in stores, or taken in and maybe passed on:",
            ["Store.get_cookie", "open_store"],
        ),
        (
            "what is the most complex function in stores.py?",
            "The most complex functions in stores.py:",
            ["get_cookie :: complexity 2"],
        ),
        (
            "which stores are there?",
            "What is called like stores, extends what is, or lies in it; it may not be all:",
            ["$ Store ", "$ FileStore"],
        ),
        (
            "which request pools are there?",
            "What is called like request pools, extends what is, or lies in it; it may not be all:",
            ["$ RequestPool", "(1 row"],
        ),
        ("what can I find in tty.go?", "What is in tty.go:", ["Program.open", "# raw", "(2 rows"]),
        ("which functions are in run.go?", "What in run.go can be called:", ["(0 rows"]),
        (
            "what's in all.py?",
            "Nothing is known to be defined in all.py; what it takes in, and may pass on:",
            ["-> Store  stores.py:4", "-> stores.py  (imports)"],
        ),
        ("what kinds of Stores exist?", "What extends Stores:", ["class FileStore(Store):"]),
        (
            "who calls open_stroe?",
            "What calls open_stroe: (no node is called open_stroe: this is of open_store)",
            ["(0 rows"],
        ),
        ("what extends the Store thing?", "What extends Store:", ["class FileStore(Store):"]),
        (
            "what implements the alone thing?",
            "Nothing is known by that word; this is what a search finds:",
            ["alone"],
        ),
        (
            "what changed last week?",
            "The graph holds the code as it is now, and not its history: `mu history NAME`, "
            "`mu blame NAME` and `mu diff` show what changed, when and by whom. Ask what depends "
            "on what is changed, or what that may break.",
            [],
        ),
        (
            "who calls no such thing?",
            "No node is called no such thing; this is what a search finds:",
            [],
        ),
        (
            "where is the cookies plugin implemented?",
            "No node is called that; this is what to read:",
            ["Store.get_cookie"],
        ),
        ("where is the pool helper defined?", "Where pool is:", ["# pools.py:pool :: function"]),
        ("who calls nonesuch?", "No node is called nonesuch; this is what a search finds:", []),
    ],
)
def test_an_answer_tells_what_is_known(
    question: str, heading: str, named: list[str], workspace: Workspace
) -> None:
    agent = MUAgent(AgentConfig(provider="offline"), workspace=workspace)
    answer = agent.ask(question).content

    assert answer.splitlines()[0] == heading
    assert [name for name in named if name not in answer] == [], answer
