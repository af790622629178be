"""The tools by which a model looks around in a wiki, and the one by which it ends."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated

import msgspec
from msgspec import Meta

from mu.agent.model import ToolSpec
from mu.agent.toolbox import Toolbox, analyze_codebase, framed
from mu.agent.values import Json, ToolCall, ToolResult
from mu.agent.wiki.overview import cut_at_paragraph
from mu.agent.wiki.pages import Page, WikiFailure, WikiPages, singular
from mu.agent.wiki.scoring import Hit, search
from mu.operations.workspace import Workspace
from mu.render.redaction import redact

LONGEST_RESULT = 20_000
"""Characters of a page in one result; what follows is read from an offset."""

FINALIZE = "finalize_context"
CODEBASE = analyze_codebase.__name__

_REQUIRED = ("summary", "relevantPages")

Words = Annotated[str, Meta(description="words, or a phrase of signs; not a regular expression")]
Names = Annotated[list[str], Meta(max_length=50)]


class _Read(msgspec.Struct, forbid_unknown_fields=True):
    path: Annotated[str, Meta(description="the page's path, as the index has it")]
    offset: Annotated[int, Meta(ge=0, description="characters to leave out first")] = 0


class _Search(msgspec.Struct, forbid_unknown_fields=True):
    query: Words
    limit: Annotated[int, Meta(ge=1, le=20, description="pages at most")] = 5


class _List(msgspec.Struct, forbid_unknown_fields=True):
    category: Annotated[str, Meta(description="such as concept, component, guide, meta, other")]


class Finalized(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """What a model hands over at the end."""

    summary: Annotated[str, Meta(min_length=1, description="what the task has to know, in prose")]
    relevant_pages: Annotated[
        list[str], Meta(min_length=1, max_length=20, description="paths of pages, the best first")
    ]
    key_components: Names = []
    key_concepts: Names = []
    implementation_guidance: Annotated[str, Meta(description="how to go about the task")] = ""
    related_files: Annotated[Names, Meta(description="files of code that the pages name")] = []


_TOOLS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "read_wiki_page": (_Read, "Read a page: its text, category and metadata."),
    "search_wiki_content": (_Search, "Find pages by words, those with most of them first."),
    "list_pages_by_category": (_List, "List the pages of a category; singular or plural."),
    FINALIZE: (Finalized, "End the research and hand over what you found."),
}


@dataclass(frozen=True, slots=True)
class Done:
    """A call and its result; `finalized` is what it handed over, `path` the page that it read."""

    result: ToolResult
    finalized: Finalized | None = None
    path: str = ""


class WikiTools:
    """Runs calls over pages; what fails is a result with the error, never raised.

    With a `workspace` its codebase can be asked about, too.
    """

    def __init__(self, pages: WikiPages, workspace: Workspace | None = None) -> None:
        self._pages = pages
        tools = () if workspace is None else (analyze_codebase,)
        self._codebase = None if workspace is None else Toolbox(workspace, tools)
        code = () if self._codebase is None else self._codebase.specs
        self.specs = (*(_spec(name) for name in _TOOLS), *code)

    @property
    def has_codebase(self) -> bool:
        """True if there is a codebase to ask about."""
        return self._codebase is not None

    def run(self, call: ToolCall) -> Done:
        """Run one call."""
        if self._codebase is not None and call.name == CODEBASE:
            return Done(self._codebase.execute(call))
        try:
            given = self._arguments(call)
        except (msgspec.ValidationError, KeyError) as error:
            return _failed(call, str(error.args[0]), self._signature(call.name))
        match given:
            case _Read():
                return self._read(call, given)
            case _Search():
                return self._search(call, given)
            case Finalized():
                return self._finalize(call, given)
            case _List():
                rows: list[Json] = [_row(page) for page in self.of_category(given.category)]
                return Done(_result(call, {"pages": rows, "total": len(rows)}))
        raise TypeError(call.name)

    def of_category(self, category: str) -> tuple[Page, ...]:
        """Give the pages of a category, none for one that there is not."""
        wanted = singular(category)
        return tuple(e.page for e in self._pages.entries() if e.page.category == wanted)

    def known(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Give the paths, as the index has them, of those that are pages; each once."""
        found = self._pages.find_all(paths)
        return tuple(dict.fromkeys(page.path for page in found if isinstance(page, Page)))

    def _arguments(self, call: ToolCall) -> msgspec.Struct:
        if call.name not in _TOOLS:
            raise KeyError(f"there is no tool {call.name}")
        given = call.arguments
        if call.name == FINALIZE:
            given = _flat(given)
            missing = [name for name in _REQUIRED if not given.get(name)]
            if missing:
                raise KeyError(f"{', '.join(missing)}: missing or empty; finalize again with it")
        return msgspec.convert(given, _TOOLS[call.name][0])

    def _read(self, call: ToolCall, given: _Read) -> Done:
        page = self._pages.find(given.path)
        if isinstance(page, WikiFailure):
            return _failed(call, page.error, page.hint)
        rest = redact(page.content)[given.offset :]
        content = _part(rest)
        told: dict[str, Json] = {**_row(page), "metadata": dict(page.metadata), "content": content}
        if len(content) < len(rest):
            told["next_offset"] = given.offset + len(content)
        return Done(_result(call, told), path=page.path)

    def _search(self, call: ToolCall, given: _Search) -> Done:
        hits = search(self._pages.entries(), given.query, limit=given.limit)
        if hits:
            return Done(_result(call, {"pages": list(map(Hit.to_dict, hits))}))
        what = f"no page has {given.query!r} in it" if given.query.strip() else "the query is empty"
        return _failed(call, what, "use other words, or list_pages_by_category")

    def _finalize(self, call: ToolCall, given: Finalized) -> Done:
        wrong = [
            f"{found.error}; {found.hint}"
            for found in self._pages.find_all(given.relevant_pages)
            if isinstance(found, WikiFailure)
        ]
        if not given.summary.strip():
            wrong.append("the summary is empty")
        if wrong:
            return _failed(call, " | ".join(wrong), "finalize again with pages that exist")
        return Done(_result(call, {"finalized": True}), finalized=given)

    def _signature(self, name: str) -> str:
        spec = next((spec for spec in self.specs if spec.name == name), None)
        if spec is None:
            return f"the tools are {', '.join(spec.name for spec in self.specs)}"
        properties = spec.schema.get("properties")
        names = ", ".join(properties) if isinstance(properties, dict) else ""
        return f"the arguments are {names}"


def draft_of(call: ToolCall) -> Finalized | None:
    """Give what can be used of a call to finalize that was sent back; None without a summary."""
    given = _flat(call.arguments)
    fields = {name: given[name] for name in Finalized.__struct_encode_fields__ if name in given}
    fields.setdefault("relevantPages", ["-"])
    try:
        return msgspec.convert(fields, Finalized)
    except msgspec.ValidationError:
        return None


def refused(call: ToolCall, why: str) -> ToolResult:
    """Answer a call that is not run."""
    return _failed(call, why, "").result


def _flat(given: dict[str, Json]) -> dict[str, Json]:
    """Give the arguments of a call to finalize, which may also come as `{context: {...}}`."""
    context = given.get("context")
    return context if isinstance(context, dict) and len(given) == 1 else given


def _spec(name: str) -> ToolSpec:
    arguments, description = _TOOLS[name]
    _, definitions = msgspec.json.schema_components([arguments])
    schema = dict(definitions[arguments.__name__])
    schema.pop("title", None)
    schema.pop("description", None)
    return ToolSpec(name, description, schema)


def _part(text: str) -> str:
    """Give what one result holds of a text: whole paragraphs, unless one is too long for that."""
    if len(text) <= LONGEST_RESULT:
        return text
    whole = cut_at_paragraph(text, LONGEST_RESULT)
    return whole if len(whole) > LONGEST_RESULT // 2 else text[:LONGEST_RESULT]


def _row(page: Page) -> dict[str, Json]:
    return {"path": page.path, "title": page.title, "category": page.category}


def _result(call: ToolCall, told: dict[str, Json]) -> ToolResult:
    content = framed(redact(_written(told)), call.name)
    digest = blake2b(content.encode(), digest_size=8).hexdigest()
    return ToolResult(call.id, call.name, content, digest=digest)


def _failed(call: ToolCall, error: str, hint: str) -> Done:
    told: dict[str, Json] = {"error": error, "hint": hint} if hint else {"error": error}
    return Done(ToolResult(call.id, call.name, redact(_written(told)), is_error=True))


def _written(told: dict[str, Json]) -> str:
    return json.dumps(told, ensure_ascii=False)
