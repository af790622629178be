"""After an edit only the files are set up that it leads to; what is found by the names in all files
is found as in a build.
"""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.resolve.program.program import Program
from support.updated_graphs import check_is_as_built, edit

FILES = {
    "api/deps.py": """
        from typing import Annotated
        from fastapi import Depends

        class Session: ...

        def get_session() -> Session:
            return Session()

        Current = Annotated[Session, Depends(get_session)]
        """,
    "api/plain.py": """
        from api.deps import Current

        def plain(rows):
            return rows
        """,
    "api/visitor.py": """
        class Visitor:
            def visit(self, node):
                return getattr(self, f"visit_{node}")(node)
        """,
    "api/printer.py": """
        from api.visitor import Visitor

        class Printer(Visitor):
            def visit_name(self, node):
                return node
        """,
    "api/shown.py": """
        from functools import singledispatch

        @singledispatch
        def show(value):
            return str(value)
        """,
    "api/shows.py": """
        from api.deps import Session
        from api.shown import show

        @show.register
        def show_session(value: Session):
            return "session"
        """,
    "api/clock.py": """
        class Clock:
            def tick(self):
                return 1

        class App:
            def now(self):
                return self.clock
        """,
    "api/setup.py": """
        from api.clock import App, Clock

        def set_up():
            app = App()
            app.clock = Clock()
            setattr(app, "second_clock", Clock())
            return app
        """,
    "api/shape.py": """
        from typing import Protocol

        class Ticking(Protocol):
            def tick(self): ...

        def run(one: Ticking):
            return one.tick()
        """,
    "api/settings.py": """
        CACHE_DIR = "/tmp"
        BACKEND = "api.clock.Clock"
        """,
    "tests/conftest.py": """
        import pytest
        from api.setup import set_up

        @pytest.fixture
        def app():
            return set_up()
        """,
    "tests/test_app.py": """
        def test_app(app):
            assert app.now()

        def test_nothing():
            assert True
        """,
    "web/mixin.js": """
        export const Loud = (Base) => class extends Base {
          shout() { return this.say(); }
        };
        export function Old() { this.count = 0; }
        Old.prototype.add = function () { return this.count; };
        """,
    "web/person.js": """
        import { Loud, Old } from './mixin.js';
        class Person { say() { return 'x'; } }
        export class LoudPerson extends Loud(Person) {}
        export function make() { return new LoudPerson(); }
        """,
    **{f"other/unasked_{n}.py": f"def unasked_{n}():\n    return {n}\n" for n in range(12)},
}
EDITS = {
    "alias that fills a parameter": (
        "api/plain.py",
        "plain(rows)",
        "plain(rows, session: Current)",
    ),
    "method by a name put together": (
        "api/printer.py",
        "    def visit_name",
        "    def visit_more(self, node):\n        return node\n\n    def visit_name",
    ),
    "handler that a call registers": (
        *("api/plain.py", "def plain(rows):\n    return rows\n"),
        "from fastapi import FastAPI\n\n\ndef plain(rows):\n    return rows\n\n\n"
        'FastAPI().add_api_route("/plain", plain)\n',
    ),
    "one of several bodies": (
        "api/plain.py",
        "return rows",
        "from api.shown import show\n    show(rows)",
    ),
    "attribute set elsewhere": ("api/clock.py", "return self.clock", "return self.clock.tick()"),
    "attribute set by a call elsewhere": (
        "api/clock.py",
        "return self.clock",
        "return self.second_clock.tick()",
    ),
    "class of a shape": (
        "api/plain.py",
        "def plain",
        "class Watch:\n    def tick(self):\n        return 2\n\n\ndef plain",
    ),
    "constant by a string": ("api/plain.py", "return rows", 'return rows["CACHE_DIR"]'),
    "class by a dotted string": ("api/settings.py", "api.clock.Clock", "api.clock.App"),
    "parameter filled by a fixture": ("tests/test_app.py", "test_nothing()", "test_nothing(app)"),
    "call of a class by a mixin": ("web/person.js", "new LoudPerson()", "new LoudPerson().shout()"),
    "member of a function that is a class": (
        "web/person.js",
        "new LoudPerson()",
        "new Old().add()",
    ),
    "read of what may be anything": ("api/plain.py", "return rows", "return rows.clock"),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_other_files_say_is_found(root: Path, settings: BuildSettings, name: str) -> None:
    build(root, settings)
    edit(root, *EDITS[name])
    report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)


def test_what_files_say_is_kept_from_one_edit_to_the_next(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    for name in ("alias that fills a parameter", "attribute set elsewhere", "class of a shape"):
        edit(root, *EDITS[name])
        report = build(root, settings)
        assert report.updated
    check_is_as_built(root, settings, report)


def test_files_that_nothing_leads_to_are_not_set_up(
    root: Path, settings: BuildSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(root, settings)
    edit(root, "api/plain.py", "return rows", "return len(rows)")
    asked: list[str] = []
    set_up = Program._set_up
    monkeypatch.setattr(
        Program, "_set_up", lambda one, key: asked.append(one.files[key].path) or set_up(one, key)
    )
    assert build(root, settings).updated == 1
    assert asked
    assert not [path for path in asked if path.startswith("other/")]
