"""What stands aside of the work of a repository: examples, data of tests, copies, old ways.

Such files say the words of what they show, try or replace, often more than that itself does; so
they come after it. Tests are known by `is_test`; here are what accompanies them, and the folders of
the languages' usual layouts.
"""

import re

ASIDE = (
    r"(?:^|/)(?:examples?|samples?|demos?|fixtures?|__fixtures__|test[_-]?data|snapshots"
    r"|__snapshots__|bench(?:es|marks?|suites?)?|mocks?|__mocks__|vendor(?:ed)?|_vendor(?:ed)?"
    r"|third[_-]party|compat|_compat|polyfills?|legacy)/"
    r"|(?:^|/)_?(?:compat|polyfills?|legacy|six)\.\w+$|^t/"
)
"""A regular expression for paths, of the syntax that Python and RE2 share."""

_ASIDE = re.compile(ASIDE, re.IGNORECASE)


def is_aside(path: str) -> bool:
    """Tell whether a path lies in a folder of examples, data of tests, copies or old ways."""
    return _ASIDE.search(path) is not None
