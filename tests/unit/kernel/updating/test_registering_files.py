"""Edits that reach what is registered with frameworks: filters and threads, which concern their own
file, and events and routes, which are put together of several files.
"""

from pathlib import Path
from typing import Any

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.resolve.frameworks.registrations import Registrations
from mu.resolve.program.file_symbols import FileSymbols
from support.updated_graphs import check_is_as_built, edit, linked_functions, write_files

FILES = {
    "shop/text.py": """
        def slug(value):
            return value

        def loud(value):
            return slug(value)
        """,
    "shop/templatetags/marks.py": """
        from django import template
        from shop.text import slug

        register = template.Library()

        @register.filter
        def mark(value):
            return slug(value)

        @register.filter
        def same(value):
            return value

        def plain(value):
            return value
        """,
    "shop/job.py": """
        import threading
        from shop.text import slug

        def run():
            return slug("job")

        def stop():
            return None

        def start():
            threading.Thread(target=run).start()
        """,
    "shop/events.py": """
        from django.dispatch import Signal

        sold = Signal()
        """,
    "shop/listeners.py": """
        from django.dispatch import receiver
        from shop.events import sold

        @receiver(sold)
        def tell(sender, **rest):
            return sender
        """,
    "shop/sale.py": """
        from shop.events import sold

        def sell(item):
            sold.send(item)
        """,
    "shop/views.py": """
        from shop.text import slug

        def show(request):
            return slug(request)

        def hide(request):
            return request
        """,
    "shop/urls.py": """
        from django.urls import path
        from shop import views

        urlpatterns = [path("show/", views.show)]
        """,
    "site/urls.py": """
        from django.urls import include, path

        urlpatterns = [path("shop/", include("shop.urls"))]
        """,
    **{f"other/unasked_{n}.py": f"def unasked_{n}():\n    return {n}\n" for n in range(12)},
}
MARKS, JOB = "shop/templatetags/marks.py", "shop/job.py"
LISTENING = "from django.dispatch import receiver\nfrom shop.events import sold\n"
EDITS = {
    "function that a filter, a thread and a view call": (
        *("shop/text.py", "def slug(value):", "def slug(value, many=None):"),
    ),
    "function of another name": ("shop/text.py", "def slug(", "def slug_of("),
    "name of a filter": (MARKS, "@register.filter\n", '@register.filter("stamp")\n'),
    "another filter": (MARKS, "def plain", "@register.filter\ndef plain"),
    "filter that is none": (MARKS, "@register.filter\n", ""),
    "filter that listens, too": (
        MARKS,
        "@register.filter\n",
        "@receiver(sold)\n@register.filter\n",
    ),
    "other target of a thread": (JOB, "target=run", "target=stop"),
    "target of a thread that is a variable": (JOB, "def run():", "run = stop = print\ndef ran():"),
    "handler of an event": ("shop/listeners.py", "def tell(", "def told("),
    "handler of no event": ("shop/listeners.py", "@receiver(sold)\n", ""),
    "event that is sent no more": ("shop/sale.py", "sold.send(item)", "sold.connect(item)"),
    "other view": ("shop/urls.py", "views.show", "views.hide"),
    "view of another name": ("shop/views.py", "def show(", "def display("),
    "prefix of routes": ("site/urls.py", '"shop/"', '"store/"'),
    "sender that listens, too": (
        *("shop/sale.py", "def sell(", f"{LISTENING}\n@receiver(sold)\ndef sell("),
    ),
    "routes beside a listener": (
        "shop/listeners.py",
        "@receiver(sold)\n",
        "from django.urls import path\nurlpatterns = [path('tell/', 'tell')]\n@receiver(sold)\n",
    ),
}


@pytest.fixture
def scanned(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The paths of files of which is looked at what they register."""
    scanned: set[str] = set()
    scan = Registrations._scan_file

    def note(found: Registrations, unit: FileSymbols, *others: Any) -> None:
        scanned.add(unit.file.path)
        scan(found, unit, *others)

    monkeypatch.setattr(Registrations, "_scan_file", note)
    return scanned


@pytest.mark.parametrize("name", EDITS)
def test_what_is_registered_is_as_in_a_build(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    path, old, new = EDITS[name]
    before = (root / path).read_text()
    edit(root, path, old, new)
    if new.startswith("@receiver"):
        edit(root, path, "register =", f"{LISTENING}\nregister =")

    report = build(root, settings)

    assert report.updated is not None
    check_is_as_built(root, settings, report)
    edit(root, path, None, before)
    again = build(root, settings)
    assert again.updated is not None
    check_is_as_built(root, settings, again)


def test_filters_and_threads_are_looked_at_without_the_rest(
    root: Path, settings: BuildSettings, scanned: set[str]
) -> None:
    build(root, settings)
    scanned.clear()
    edit(root, MARKS, "return slug(value)", "return slug(value.strip())")

    assert build(root, settings).updated == 1

    assert scanned == {MARKS}


def test_files_that_tell_of_events_are_looked_at_where_one_has_another_handler(
    root: Path, settings: BuildSettings, scanned: set[str]
) -> None:
    build(root, settings)
    scanned.clear()
    edit(root, "shop/listeners.py", "def tell(", "def told(")

    assert build(root, settings).updated == 2  # with the file that sends it

    assert scanned == {"shop/listeners.py", "shop/sale.py"}


def test_all_that_registers_is_looked_at_where_a_file_tells_of_a_route_for_the_first_time(
    root: Path, settings: BuildSettings, scanned: set[str]
) -> None:
    build(root, settings)
    scanned.clear()
    urls = "from django.urls import path\nfrom shop import views\n"
    edit(root, "shop/sale.py", None, f'{urls}urlpatterns = [path("hide/", views.hide)]\n')

    report = build(root, settings)

    assert report.updated
    assert scanned >= {"shop/listeners.py", "shop/sale.py", "shop/urls.py", "site/urls.py"}
    check_is_as_built(root, settings, report)


PLUG = """
import pytest


class Till:
    def open(self): ...


@pytest.fixture
def till():
    return Till()
"""


def test_modules_that_tests_list_as_plugins_fill_the_parameters_of_all(
    root: Path, settings: BuildSettings
) -> None:
    write_files(
        root,
        {
            "plug.py": PLUG,
            "conftest.py": "",
            "tests/test_till.py": "def test_till(till):\n    till.open()\n",
        },
    )
    build(root, settings)
    for text in ('pytest_plugins = ["plug"]\n', ""):
        edit(root, "conftest.py", None, text)
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)


BASE = "from flask.views import MethodView\n\n\nclass Base(MethodView):\n    {body}\n"
VIEWS = {
    "web/app.py": """
        from flask import Flask
        from web.view import View

        app = Flask(__name__)
        app.add_url_rule("/x", view_func=View.as_view("x"))
    """,
    "web/view.py": """
        from web.base import Base


        class View(Base):
            def get(self): ...
    """,
    "web/base.py": BASE.format(body="pass"),
}


def test_a_route_answers_the_methods_of_classes_above_its_view(
    root: Path, settings: BuildSettings
) -> None:
    write_files(root, VIEWS)
    build(root, settings)
    for body in ("def post(self): ...", "pass"):
        edit(root, "web/base.py", None, BASE.format(body=body))
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)


def test_other_routes_of_one_path_are_not_linked(root: Path, settings: BuildSettings) -> None:
    page = """
        from flask import Flask

        def test_{name}():
            app = Flask(__name__)

            @app.route("/")
            def index():
                return "{name}"
        """
    write_files(root, {f"tests/test_{one}.py": page.format(name=one) for one in ("one", "two")})
    build(root, settings)
    for old, new in (('@app.route("/")', ""), ("\n    \n", '\n    @app.route("/")\n')):
        edit(root, "tests/test_one.py", old, new)
        with linked_functions("tests/test_two.py") as linked:
            report = build(root, settings)
        assert report.updated
        assert not linked
        check_is_as_built(root, settings, report)
