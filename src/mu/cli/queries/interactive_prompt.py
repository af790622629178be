"""Read the lines of a session on a terminal, by prompt_toolkit, imported for nothing else."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from mu import __version__
from mu.cli.arguments import options
from mu.cli.queries.query_session import COMMANDS, Session
from mu.errors import MuError
from mu.muql.completion import complete
from mu.render.text import printable

PROMPT = "mu> "


def converse(session: Session, *, history: Path) -> None:
    """Read and answer lines until the session ends; what is asked is kept in the file `history`."""
    gc.enable()  # a session may be long; a command is not
    sys.stdout.write(f"mu {__version__}: .help lists what there is, Tab completes, .quit leaves\n")
    prompt: PromptSession[str] = PromptSession(
        PROMPT,
        history=opened_history(history),
        completer=_SessionCompleter(session),
        complete_while_typing=False,
        key_bindings=_keys(),
        prompt_continuation="... ",
        enable_open_in_editor=False,
    )
    is_open = True
    while is_open:
        try:
            is_open = session.handle(prompt.prompt())
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


class _SessionCompleter(Completer):
    """Offers the commands of a session, and what a query may go on with."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,  # noqa: ARG002 - the library's
    ) -> Iterator[Completion]:
        before = document.text_before_cursor.lstrip()
        command, _, rest = before.partition(" ")
        if command == ".explain" and rest:
            before = rest
        elif before.startswith("."):
            yield from _commands(before)
            return
        workspace = self._session.workspace
        try:
            suggestions = complete(
                before, document.text_after_cursor, graph=workspace.graph, project=workspace.root
            )
        except MuError:  # the query itself will tell
            return
        for found in suggestions:
            shown = printable(found.text)
            if shown == found.text:  # what acts on a terminal is not put into the line
                yield Completion(shown, -found.length, display_meta=found.sort)


def _commands(before: str) -> Iterator[Completion]:
    name, space, rest = before.partition(" ")
    if space and name == ".format":
        words, length = list(options.FORMATS), len(rest)
    else:
        words, length = [command.split()[0] for command in COMMANDS], len(before)
    begun = before[len(before) - length :]
    yield from (Completion(word, -length) for word in words if word.startswith(begun))


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys


class _Kept(FileHistory):
    """A history that keeps what a function makes of each entry."""

    def __init__(self, filename: str, as_kept: Callable[[str], str]) -> None:
        super().__init__(filename)
        self._as_kept = as_kept

    def store_string(self, string: str) -> None:
        super().store_string(self._as_kept(string))


def opened_history(path: Path, *, as_kept: Callable[[str], str] = str) -> History:
    """Open the history, which is for its owner alone; without a place to keep it, it is short.

    `as_kept` makes of an entry what is written to the file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        sys.stderr.write(f"note: the history is not kept: {printable(reason)}\n")
        return InMemoryHistory()
    return _Kept(str(path), as_kept)
