"""Peripheral files of a repository: examples, test data, vendored copies, compatibility code.

They repeat the words of the code that they show, try or replace, often more than that code does, so
a search lists them after it. Tests are known by `is_test`; these are what accompanies tests, and
the folders of usual layouts.
"""

import re

PERIPHERAL = (
    r"(?:^|/)(?:examples?|samples?|demos?|fixtures?|__fixtures__|test[_-]?data|snapshots"
    r"|__snapshots__|bench(?:es|marks?|suites?)?|mocks?|__mocks__|vendor(?:ed)?|_vendor(?:ed)?"
    r"|third[_-]party|compat|_compat|polyfills?|legacy)/"
    r"|(?:^|/)_?(?:compat|polyfills?|legacy|six)\.\w+$|^t/"
)
"""A regular expression for paths, of the syntax that Python and RE2 share."""

_PERIPHERAL = re.compile(PERIPHERAL, re.IGNORECASE)


def is_peripheral(path: str) -> bool:
    """Tell whether a path is in a folder of examples, test data, copies or compatibility code."""
    return _PERIPHERAL.search(path) is not None
