"""A session of queries, one line after the other: what a line does, apart from how it is read."""

import os
import sys

from mu.cli.arguments import options
from mu.cli.display.result_output import show
from mu.cli.error_report import report
from mu.config import QuerySection
from mu.errors import ExitCode, MuError
from mu.muql.nearest import did_you_mean
from mu.operations.queries.query import query
from mu.operations.workspace import GRAPH_NAME, Workspace

COMMANDS = {
    ".help": "show this",
    ".format [NAME]": f"write rows as {', '.join(options.FORMATS)}",
    ".explain [QUERY]": "explain how a query, or the last one, is answered",
    ".tables": "list the relations; DESCRIBE lists all there is to ask with",
    ".quit": "leave, as does Ctrl-D",
}
"""What a line that begins with a dot may be."""

_HELP = """\
A line is a query: a SELECT, SHOW, FIND, PATH, ANALYZE or DESCRIBE, or @name for a named one.
Tab completes; the arrows go through what was asked before; Ctrl-C stops a query or drops a line;
Esc and then Enter begin a new line within a query.
"""


class Session:
    """The state of a session: the graph, the format of rows, the query that was asked last.

    A graph that is built again in the meantime is noticed before the next query.
    """

    def __init__(self, workspace: Workspace, bounds: QuerySection, form: str) -> None:
        self.workspace = workspace
        self._bounds = bounds
        self._form = form
        self._last = ""
        self._generation = self._identity()

    def handle(self, line: str) -> bool:
        """Do what a line asks for; False when it asks to leave.

        Whatever goes wrong is told and does not end the session.
        """
        text = line.strip()
        if not text:
            return True
        try:
            if text.startswith("."):
                return self._command(text)
            self._ask(text)
            self._last = text
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - a session goes on
            sys.stdout.flush()
            report(error)
        return True

    def _command(self, text: str) -> bool:
        name, _, rest = text.partition(" ")
        rest = rest.strip()
        match name.lower():
            case ".quit" | ".exit":
                return False
            case ".help":
                width = max(map(len, COMMANDS))
                lines = (
                    f"{command:<{width}}  {meaning}\n" for command, meaning in COMMANDS.items()
                )
                sys.stdout.write(_HELP + "".join(lines))
            case ".format":
                self._set_form(rest)
            case ".tables":
                self._ask("SHOW TABLES")
            case ".explain":
                if not (rest or self._last):
                    raise MuError("there is no query yet to explain", "write it after .explain")
                self._ask(f"EXPLAIN {rest or self._last}")
            case _:
                known = [command.split()[0] for command in COMMANDS]
                what = did_you_mean(f"no command is called {name}", name, among=known)
                raise MuError(what, "`.help` lists the commands", ExitCode.USAGE)
        return True

    def _set_form(self, name: str) -> None:
        if name and name not in options.FORMATS:
            what = did_you_mean(f"no format is called {name}", name, among=options.FORMATS)
            raise MuError(what, f"there are {', '.join(options.FORMATS)}", ExitCode.USAGE)
        self._form = name or self._form
        sys.stdout.write(f"rows are written as {self._form}\n")

    def _ask(self, text: str) -> None:
        self._renew()
        rows, timeout = self._bounds.rows, self._bounds.timeout
        result = query(self.workspace, text, limit=rows, timeout=timeout)
        show(result, self._form, more=lambda offset: f"LIMIT {rows} OFFSET {offset} in the query")

    def _renew(self) -> None:
        """Open the graph anew when another one has taken its place."""
        identity = self._identity()
        if identity != self._generation:
            self.workspace.close()
            self._generation = identity
            sys.stderr.write("note: the graph was built again; this answer is of the new one\n")

    def _identity(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self.workspace.root / GRAPH_NAME)  # noqa: PTH116
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns
