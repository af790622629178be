"""A function written in place gets types from the code around it: when that changes, the function
is linked again, and so is what reads the variable that holds it.
"""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, write_files

TYPES = """
    export class Door {
      close(): void {}
      lock(): void {}
    }
    export class Gate {
      close(): void {}
      lock(): void {}
    }
    export interface Found { door: Door }
    export type Find = (door: Door) => Found
"""
OTHER_TYPES = """
    import { Gate } from './types'
    export interface Found { door: Gate }
    export type Find = (door: Gate) => Found
"""
READING = """
    import { find } from './finding'
    export function read() {
      find(null).door.lock()
    }
"""
FINDING = """
    import { Find } from './types'

    export const find: Find = (it) => {
      it.close()
      return { door: it }
    }
    export function rest() {}
"""
PASSING = """
    import { each } from './each'

    each((it) => it.close())
    each(function inner(it) {
      it.lock()
    })
"""
EACH = """
    import { Door, Gate } from './types'
    export function each(run: (it: Door) => void): void {}
"""
FIELDS = """
    import { Handlers } from './handlers'

    export const handlers: Handlers = {
      opened: (it) => it.close(),
      closed(it) { it.lock() },
    }
"""
HANDLERS = """
    import { Door, Gate } from './types'
    export interface Handlers { opened: (it: Door) => void; closed: (it: Door) => void }
"""
STARTS = {
    "types.ts": TYPES,
    "other.ts": OTHER_TYPES,
    "finding.ts": FINDING,
    "reading.ts": READING,
    "each.ts": EACH,
    "passing.ts": PASSING,
    "handlers.ts": HANDLERS,
    "fields.ts": FIELDS,
}
EDITS = {
    "import of the declared type": {"finding.ts": FINDING.replace("./types", "./other")},
    "import of nothing": {"finding.ts": FINDING.replace("./types", "./reading")},
    "declared type": {"types.ts": TYPES.replace("(door: Door) => Found", "(door: Gate) => Found")},
    "result of the declared type": {"types.ts": TYPES.replace("{ door: Door }", "{ door: Gate }")},
    "parameter that it is passed to": {"each.ts": EACH.replace("it: Door", "it: Gate")},
    "fields of an object's type": {"handlers.ts": HANDLERS.replace("it: Door", "it: Gate")},
    "type of an object": {"fields.ts": FIELDS.replace("./handlers", "./types")},
}


@pytest.mark.usefixtures("_unbounded")
@pytest.mark.parametrize("name", EDITS)
def test_types_from_the_code_around_a_function(
    root: Path, settings: BuildSettings, name: str
) -> None:
    write_files(root, STARTS)
    build(root, settings)
    for files in (EDITS[name], {path: STARTS[path] for path in EDITS[name]}):
        write_files(root, files)
        report = build(root, settings)
        assert report.updated, name
        check_is_as_built(root, settings, report)
