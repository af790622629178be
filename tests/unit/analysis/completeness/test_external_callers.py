"""What code outside the repository may call, of which no answer is exact."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.model.kinds import Verdict
from mu.operations.navigation.dependencies import callers

PYTHON = """
import json
import threading
from enum import Enum
from unittest import TestCase

from elsewhere import Handler


class Worker(threading.Thread):
    def run(self):
        pass

    def __init__(self):
        super().__init__()


class Ours(Handler):
    def handle(self):
        pass

    def used(self):
        pass

    def _own(self):
        pass


class Unseen(Missing):
    def go(self):
        pass


class Alone:
    def lonely(self):
        pass


class Mode(Enum):
    def shown(self):
        pass


class ShopTest(TestCase):
    def test_it(self):
        pass


def use(ours: Ours):
    ours.used()
"""

GO = """
package shop

type Shop struct{}

func (s Shop) ServeHTTP() {}

func (s Shop) Buy() {}

func ServeHTTP() {}
"""

RUST = """
use std::fmt;

pub struct Cart;

impl fmt::Display for Cart {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }
}

impl Cart { pub fn pay(&self) {} }

impl From<u8> for Cart { fn from(count: u8) -> Cart { Cart } }
"""


@pytest.mark.parametrize(
    ("method", "note"),
    [
        ("Worker.run", "it overrides threading.Thread.run, which code outside"),
        ("Worker.__init__", ""),
        ("Ours.handle", "its class has the base elsewhere.Handler"),
        ("Ours.used", ""),
        ("Ours._own", ""),
        ("Unseen.go", "its class has the base Missing"),
        ("Alone.lonely", ""),
        ("Mode.shown", ""),
        ("ShopTest.test_it", ""),
        ("Shop.Buy", ""),
        ("Shop.ServeHTTP", "may call it as net/http.Handler.ServeHTTP"),
        ("Cart.fmt", "it overrides std.fmt.Display.fmt"),
        ("Cart.from", "it overrides std.From.from"),
        ("Cart.pay", ""),
        ("Price.toJSON", "may call it as JSON.stringify.toJSON"),
        ("Price.total", ""),
    ],
)
def test_a_method_that_code_outside_may_call_has_no_exact_callers(
    tmp_path: Path, method: str, note: str
) -> None:
    files = {
        "app.py": PYTHON,
        "shop/shop.go": GO,
        "go.mod": "module shop\n",
        "src/lib.rs": RUST,
        "web/price.ts": "export class Price { toJSON() { return {}; } total() { return 1; } }\n",
        "Cargo.toml": '[package]\nname = "cart"\n',
    }
    with built_tree(tmp_path, files) as workspace:
        answer = callers(workspace, method).answer
    assert answer.verdict is (Verdict.AT_LEAST if note else Verdict.EXACT)
    assert note in " ".join(answer.notes)
    assert bool(note) == any("code outside" in said for said in answer.notes)


TYPESCRIPT = """
import { setup } from 'machines';

setup({ guards: { isAdult: () => true } });

function run(options: { go(): void }) { options.go(); }
run({ go() {} });
"""


def test_a_function_of_a_literal_that_is_passed_may_be_called(tmp_path: Path) -> None:
    with built_tree(tmp_path, {"a.ts": TYPESCRIPT}) as workspace:
        passed = callers(workspace, "guards.isAdult").answer
        called = callers(workspace, "fn:a.ts:go~2").answer

    assert passed.verdict is Verdict.AT_LEAST
    assert [note for note in passed.notes if "passed on as a value at a.ts:4" in note]
    assert called.verdict is Verdict.EXACT
