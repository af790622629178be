"""What code elsewhere may use follows the text that says it."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_edit_and_back, write_files

pytestmark = pytest.mark.usefixtures("_unbounded")
FILES = {
    "shop.ts": "import './till';\n\nexport function open() {}\nconst LIMIT = 1;\n",
    "till.ts": "import { open } from './shop';\n\nopen();\n",
    "src/lib.rs": """
        trait Named { fn name(&self) -> u8; }
        struct Cart { code: u8 }
        impl Named for Cart { fn name(&self) -> u8 { LIMIT } }
        const LIMIT: u8 = 1;
    """,
    "cart.js": "function add() {}\nfunction sum() {}\n",
    "buy.js": "const cart = require('./cart');\n\ncart.add();\n",
    "cash.ts": "export function pay() {}\nfunction take() {}\n",
    "desk.ts": "export * from './cash';\n",
    "sell.ts": "import { pay } from './desk';\n\npay();\n",
}
EDITS = {
    "function": ("shop.ts", "export function", "function"),
    "variable": ("shop.ts", "const", "export const"),
    "module": ("shop.ts", "import './till';\n\nexport ", ""),
    "trait": ("src/lib.rs", "trait Named", "pub trait Named"),
    "field": ("src/lib.rs", "code:", "pub code:"),
    "constant": ("src/lib.rs", "const", "pub const"),
    "first name that a module exports": ("cart.js", "sum() {}\n", "sum() {}\nexports.sum = sum;\n"),
    "all that a module exports": ("cash.ts", "take() {}\n", "take() {}\nexport = take;\n"),
}


@pytest.mark.parametrize("name", EDITS)
def test_names_are_shown_as_the_text_says(
    tmp_path: Path, settings: BuildSettings, name: str
) -> None:
    root = tmp_path / "shop"
    write_files(root, FILES)
    build(root, settings)
    path, old, new = EDITS[name]

    check_edit_and_back(root, settings, path, old=old, new=new)
