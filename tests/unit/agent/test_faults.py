"""Everything that a model's server may do wrong, a row each: the agent says one line and goes on.

Whatever comes over the wire, `ask` returns an answer and never raises; its error is one line that
says what happened, with a hint, without the key, and after no more requests than are due.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pytest

from fakes.graphs import AUTH, make_graph, write
from fakes.messages_server import reply, text
from fakes.wire_server import End, Wire, WireServer, events, http, wire_server
from mu.agent import AgentConfig, AgentResponse, MUAgent
from mu.agent.model import TextDelta
from mu.agent.models.anthropic_model import AnthropicModel
from mu.agent.models.ollama import OllamaChat
from mu.agent.models.openai_chat import OpenAIChat
from mu.agent.models.small_model import SmallModel
from mu.operations.workspace import Workspace

KEY = "sk-test-0123456789abcdef"
FINE = reply(text("fine")).body
BARE = '{"name": "mu_deps", "arguments": {"node": "AuthService.login"}}'


@dataclass(frozen=True)
class Fault:
    """What the server sends, and the words of the error, or the answer when there is none."""

    name: str
    wires: tuple[Wire, ...]
    told: str = ""
    content: str = ""
    requests: int = 1
    retries: int = 0
    timeout: float = 20.0


def error(kind: str, message: str = "not now") -> dict[str, object]:
    """The body of an error as the Messages API sends it."""
    return {"type": "error", "error": {"type": kind, "message": message}}


def fault(name: str, *wires: Wire, told: str = "", content: str = "", **more: float) -> Fault:
    """A row; requests are as many as answers unless told."""
    given: dict[str, float] = {"requests": len(wires), **more}
    return Fault(name, wires, told, content, **given)  # type: ignore[arg-type]


def refused(status: int, told: str, body: object = None) -> Fault:
    """A status that ends the question at once, or after its retries."""
    return fault(f"status {status}", http(status, body or error("some_error")), told=told)


STATUSES = [
    refused(400, "the server refuses the request: not now"),
    refused(401, "the key is not taken: not now"),
    refused(402, "the server refuses the request: not now"),
    refused(403, "the key is not taken: not now"),
    refused(404, "no model claude-x (retired, or misspelt): not now"),
    refused(405, "the server refuses the request: not now"),
    refused(408, "the server refuses the request: not now"),
    refused(409, "the server refuses the request: not now"),
    fault("status 413", http(413, error("x")), told="too long, even when begun", requests=2),
    refused(418, "the server refuses the request: not now"),
    refused(422, "the server refuses the request: not now"),
    refused(429, "too many requests: not now"),
    refused(451, "the server refuses the request: not now"),
    refused(500, "the server has no room: not now"),
    refused(502, "the server has no room: not now"),
    refused(503, "the server has no room: not now"),
    refused(504, "the server has no room: not now"),
    refused(529, "the server has no room: not now"),
]
HTML = b"<html><body><h1>Bad Gateway</h1></body></html>"
ODD_ERRORS = [
    fault("error page in HTML", http(502, HTML, of="text/html"), told="the server has no room"),
    fault("error without body", http(500), told="the server has no room"),
    fault("error as a list", http(400, ["no"]), told="the server refuses the request"),
    fault("error as a string", http(403, "no"), told="the key is not taken"),
    fault("error of bytes", http(400, b"\xff\xfe\x00"), told="the server refuses the request"),
    fault("error with the key", http(401, error("x", f"bad {KEY}")), told="bad [key]"),
    fault("error of many lines", http(400, error("x", "a\nb\r\n\tc")), told="a b c"),
    fault("error that is endless", http(400, error("x", "y" * 100_000)), told="y" * 200),
    fault("error with a control", http(400, error("x", "\x1b[2Jq")), told="q"),
    fault("redirect", http(307, b"", location="http://127.0.0.1:9/"), told="the server"),
    fault("redirect to nowhere", http(301, b""), told="the server"),
]
WAITS = [
    fault(
        f"retry-after: {wait}",
        *[http(429, error("rate_limit_error"), retry_after=wait)] * count,
        told=told,
        retries=1,
        timeout=2.0,
    )
    for wait, count, told in (
        ("3600", 1, "the server asks to wait 3,600 s; ask again then"),
        ("86400000", 1, "the server asks to wait 86,400,000 s"),
        ("2.5", 1, "the server asks to wait 2 s"),
        ("0.01", 2, "ask again in a minute"),
        ("Fri, 31 Dec 2999 23:59:59 GMT", 1, "the server asks to wait"),
    )
]
ODD_MESSAGES = [
    fault("body empty", http(200), told="answer"),
    fault("body in HTML", http(200, HTML, of="text/html"), told="answer"),
    fault("body cut", http(200, json.dumps(FINE)[:40].encode()), told="answer"),
    fault("body shorter than told", http(200, b'{"id"', length=500), told="cannot reach"),
    fault("body not UTF-8", http(200, b'{"id": "\xff"}'), told="answer"),
    fault("body null", http(200, None), told="answer"),
    fault("body a list", http(200, []), told="answer"),
    fault("body a number", http(200, 7), told="answer"),
    fault("body an empty object", http(200, {}), told="answer"),
    fault("body of another API", http(200, {"choices": []}), told="answer"),
    fault("no content", http(200, {**FINE, "content": None}), told="answer"),
    fault("content a text", http(200, {**FINE, "content": "fine"}), told="answer"),
    fault("content of texts", http(200, {**FINE, "content": ["fine"]}), told="answer"),
    fault("content empty", http(200, {**FINE, "content": []}), told="an empty answer"),
    fault("block without type", http(200, {**FINE, "content": [{"text": "a"}]}), told="answer"),
    fault("text null", http(200, {**FINE, "content": [text(None)]}), told="an empty answer"),  # type: ignore[arg-type]
    fault("usage missing", http(200, {**FINE, "usage": None}), content="fine"),
    fault("usage of texts", http(200, {**FINE, "usage": {"input_tokens": "x"}}), told="answer"),
    fault("model missing", http(200, {**FINE, "model": None}), content="fine"),
    fault("stop reason unknown", http(200, {**FINE, "stop_reason": "tired"}), content="fine"),
    fault("stop reason missing", http(200, {**FINE, "stop_reason": None}), told="ended in the"),
    fault("refused", http(200, {**FINE, "stop_reason": "refusal"}), told="declined to answer"),
    fault(
        "call without name",
        http(200, {**FINE, "content": [{"type": "tool_use", "id": "a", "input": {}}]}),
        http(200, FINE),
        content="fine",
    ),
    fault(
        "call whose input is a text",
        http(
            200,
            {
                **FINE,
                "content": [{"type": "tool_use", "id": "a", "name": "mu_deps", "input": "login"}],
                "stop_reason": "tool_use",
            },
        ),
        told="answer",
    ),
    fault(
        "call of no tool",
        http(
            200,
            {
                **FINE,
                "content": [{"type": "tool_use", "id": "a", "name": "rm", "input": {}}],
                "stop_reason": "tool_use",
            },
        ),
        http(200, FINE),
        content="fine",
    ),
    fault(
        "an answer that says it calls",
        http(200, {**FINE, "stop_reason": "tool_use"}),
        content="fine",
    ),
    fault(
        "nothing but calls as text",
        *[http(200, {**FINE, "content": [text(BARE)]})] * 3,
        told="no answer after 3 rounds",
    ),
]
BROKEN = [
    fault("closed at once", Wire(b""), told="cannot reach"),
    fault("reset at once", Wire(b"", End.RESET), told="cannot reach"),
    fault("closed in the headers", Wire(b"HTTP/1.1 200 OK\r\ncontent-"), told="cannot reach"),
    fault("not HTTP", Wire(b"SSH-2.0-OpenSSH_9.6\r\n"), told="cannot reach"),
    fault("reset in the body", Wire(http(200, FINE).data[:-9], End.RESET), told="cannot reach"),
    fault("silent", Wire(b"", End.HELD), told="no answer within 0.1 s", timeout=0.1),
    fault(
        "silent in the body",
        Wire(http(200, FINE).data[:-9], End.HELD),
        told="no answer within 0.1 s",
        timeout=0.1,
    ),
    fault("silent twice", *[Wire(b"", End.HELD)] * 2, told="no answer", timeout=0.1, retries=1),
]


def event(kind: str, **more: object) -> str:
    """An event of a stream."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}"


START = event("message_start", message={**FINE, "content": [], "stop_reason": None})
BEGUN = event("content_block_start", index=0, content_block=text(""))
HALF = event("content_block_delta", index=0, delta={"type": "text_delta", "text": "fi"})
REST = event("content_block_delta", index=0, delta={"type": "text_delta", "text": "ne"})
CLOSED = event("content_block_stop", index=0)
ENDED = event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 2})
STOP = event("message_stop")
WHOLE = (START, BEGUN, HALF, REST, CLOSED, ENDED, STOP)
CALL = event(
    "content_block_start",
    index=0,
    content_block={"type": "tool_use", "id": "a", "name": "mu_deps", "input": {}},
)
ARGUMENTS = event(
    "content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": '{"no'}
)
CUT = "answer"
STREAMS = [
    fault("whole", events(*WHOLE), content="fine"),
    fault("events unknown", events(event("news"), *WHOLE), content="fine"),
    fault("pings and comments", events(": hello", event("ping"), *WHOLE), content="fine"),
    fault("no last event", events(*WHOLE[:-1]), content="fine"),
    fault("no event", events(), told=CUT),
    fault("only a ping", events(event("ping")), told=CUT),
    fault("only its start", events(START), told=CUT),
    fault("cut in its text", events(*WHOLE[:3]), told=CUT),
    fault(
        "cut in an event", events(*WHOLE[:3], 'event: content_block_delta\ndata: {"ty'), told=CUT
    ),
    fault("cut before its reason", events(*WHOLE[:5]), told=CUT),
    fault("not JSON", events(START, "event: content_block_start\ndata: <b>"), told=CUT),
    fault("JSON that is no event", events(START, "event: content_block_delta\ndata: 7"), told=CUT),
    fault("text before its block", events(START, HALF, ENDED, STOP), told=CUT),
    fault("text before its start", events(HALF, *WHOLE), content="fine"),
    fault(
        "overloaded",
        events(START, event("error", error={"type": "overloaded_error", "message": "busy"})),
        told="busy",
    ),
    fault("an error of no kind", events(START, "event: error\ndata: oh"), told="oh"),
    fault(
        "an error at once",
        events(event("error", error={"type": "api_error", "message": "down"})),
        told="down",
    ),
    fault("cut in a call", events(START, CALL, ARGUMENTS), told=CUT),
    fault(
        "a call that is no JSON",
        events(START, CALL, ARGUMENTS, CLOSED, ENDED, STOP),
        told="no answer after 3 rounds",
        requests=3,
    ),
    fault("reset", Wire(events(*WHOLE[:3]).data, End.RESET), told=CUT),
    fault("silent", Wire(events(*WHOLE[:3]).data, End.HELD), told="within 0.1 s", timeout=0.1),
    fault("in HTML", http(200, HTML, of="text/html"), told=CUT),
    fault("JSON instead", http(200, FINE), told=CUT),
]
SHOWN = {"/api/show": http(200, {"model_info": {"x.context_length": 9000}, "capabilities": []})}
NATIVE = {"/api/show": http(200, {"model_info": {}, "capabilities": ["tools"]})}
DONE = '{"done": true, "response": "fine"}'


def said(content: object, **more: object) -> Wire:
    """A message as Ollama sends it."""
    return http(200, {"message": {"role": "assistant", "content": content, **more}, "done": True})


def choice(content: object, **more: object) -> Wire:
    """A message as servers of the other API send it."""
    return http(200, {"choices": [{"message": {"role": "assistant", "content": content, **more}}]})


OLLAMA = [
    fault("an answer", said(DONE), content="fine"),
    fault("a call as models were taught it", said(BARE), said(DONE), content="fine"),
    fault("a call in a fence", said(f"```json\n{BARE}\n```"), said(DONE), content="fine"),
    fault("nothing but calls", said(BARE), told="no answer", requests=12),
    fault("never an answer", said('{"done": false}'), told="no answer after", requests=12),
    fault("prose for ever", said("Let me think."), content="Let me think.", requests=4),
    fault("empty for ever", said(""), told="no answer after 4 tries", requests=4),
    fault("blanks for ever", said(" \n\t"), told="no answer after 4 tries", requests=4),
    fault("half an object for ever", said('{"done": true, "resp'), told="no answer", requests=4),
    fault("content null", said(None), told="no answer after 4 tries", requests=4),
    fault("content a number", said(7), content="7", requests=4),
    fault("no message", http(200, {"done": True}), told="no answer after 4 tries", requests=4),
    fault("message a text", http(200, {"message": "hi"}), told="no answer", requests=4),
    fault("error with 200", http(200, {"error": "out of memory"}), told="out of memory"),
    fault("status 400", http(400, {"error": "bad"}), told='refuses the request: {"error": "bad"}'),
    fault("status 401", http(401, {"error": "no"}), told="the server refuses the request"),
    fault("status 404", http(404, {"error": "none"}), told="no model tiny"),
    fault("status 429", http(429, {"error": "busy"}), told="the server refuses the request"),
    fault("status 500", http(500, {"error": "llama runner died"}), told="llama runner died"),
    fault("status 503", http(503, HTML, of="text/html"), told="the server refuses the request"),
    fault("status 500 of many lines", http(500, b"a\nb\n"), told="a b"),
    fault("redirect", http(302, b"", location="/other"), told="the server refuses the request"),
    fault("body empty", http(200), told="the server's answer is no JSON object"),
    fault("body in HTML", http(200, HTML), told="the server's answer is no JSON object"),
    fault("body a list", http(200, [1]), told="the server's answer is no JSON object"),
    fault(
        "body not UTF-8", http(200, b'{"a": "\xff"}'), told="the server's answer is no JSON object"
    ),
    fault("body shorter than told", http(200, b"{", length=99), told="cannot reach"),
    fault("closed at once", Wire(b""), told="cannot reach"),
    fault("reset", Wire(b"", End.RESET), told="cannot reach"),
    fault("not HTTP", Wire(b"+PONG\r\n"), told="cannot reach"),
    fault("silent", Wire(b"", End.HELD), told="no answer within 0.1 s", timeout=0.1),
]
CALLED = [
    fault("calls a text", said("", tool_calls="mu_deps"), told="no answer", requests=4),
    fault("calls of texts", said("", tool_calls=["mu_deps"]), told="no answer", requests=4),
    fault("a call without function", said("", tool_calls=[{}]), told="no answer", requests=4),
    fault(
        "a call of no tool",
        said("", tool_calls=[{"function": {"name": "rm", "arguments": {}}}]),
        said("fine"),
        content="fine",
    ),
    fault(
        "arguments that are no JSON",
        said("", tool_calls=[{"function": {"name": "mu_deps", "arguments": "{no"}}]),
        said("fine"),
        content="fine",
    ),
    fault(
        "arguments a list",
        said("", tool_calls=[{"function": {"name": "mu_deps", "arguments": [1]}}]),
        said("fine"),
        content="fine",
    ),
    fault(
        "nothing but calls",
        said("", tool_calls=[{"function": {"name": "mu_cycles", "arguments": {}}}]),
        told="no answer",
        requests=12,
    ),
    fault("only a thought", said("<think>hm</think>"), told="no answer", requests=4),
]
OPENAI = [
    fault("an answer", choice(DONE), content="fine"),
    fault("no choices", http(200, {}), told="no answer", requests=4),
    fault("choices empty", http(200, {"choices": []}), told="no answer", requests=4),
    fault("choices a text", http(200, {"choices": "hi"}), told="no answer", requests=4),
    fault("a choice without message", http(200, {"choices": [{}]}), told="no answer", requests=4),
    fault("content in parts", choice([text(DONE)]), content="fine"),
    fault(
        "usage a text",
        http(200, {"choices": [{"message": {"content": DONE}}], "usage": "x"}),
        content="fine",
    ),
    fault("error with 200", http(200, {"error": {"message": "no slot"}}), told="no slot"),
    fault("status 401", http(401, {"error": {"message": "no key"}}), told="no key"),
    fault("status 404", http(404, {"error": {"message": "none"}}), told="no model tiny"),
    fault("status 429", http(429, {"error": {"message": "busy"}}), told="busy"),
    fault("status 500", http(500, {"error": {"message": "died"}}), told="died"),
    fault("body in HTML", http(200, HTML), told="the server's answer is no JSON object"),
    fault("silent", Wire(b"", End.HELD), told="no answer within 0.1 s", timeout=0.1),
]
SHOWS = [
    fault("status 500", http(500, {"error": "x"}), told="the server refuses the request"),
    fault("not there", http(404), told="no model tiny"),
    fault("in HTML", http(200, HTML), told="no JSON object"),
    fault("nothing known", http(200, {}), content="fine"),
    fault("info a text", http(200, {"model_info": "x", "capabilities": "y"}), content="fine"),
    fault("window of none", http(200, {"model_info": {"a.context_length": 0}}), content="fine"),
    fault("window below none", http(200, {"model_info": {"a.context_length": -5}}), content="fine"),
    fault("silent", Wire(b"", End.HELD), told="no answer within 0.1 s", timeout=0.1),
]
PLAIN = [*STATUSES, *ODD_ERRORS, *WAITS, *ODD_MESSAGES, *BROKEN]
STREAMED = [*STREAMS, *STATUSES, *WAITS[:1], *BROKEN[:4]]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    place = tmp_path_factory.mktemp("graph")
    write(make_graph(AUTH), place)
    with Workspace(place) as opened:
        yield opened


def names(rows: list[Fault]) -> list[object]:
    return [pytest.param(row, id=row.name) for row in rows]


def claude(
    workspace: Workspace, row: Fault, *, is_streamed: bool
) -> tuple[AgentResponse, WireServer, str]:
    """Ask the agent behind a server that does what the row says."""
    with wire_server(*row.wires) as server:
        config = AgentConfig(
            base_url=server.url, model="claude-x", timeout=row.timeout, max_iterations=3
        )
        model = AnthropicModel(config, key=KEY, max_retries=row.retries)
        with closing(model):
            agent = MUAgent(config, model, workspace=workspace)
            if not is_streamed:
                return agent.ask("who calls login?"), server, ""
            *shown, response = agent.stream("who calls login?")
            words = "".join(each.text for each in shown if isinstance(each, TextDelta))
    assert isinstance(response, AgentResponse)
    return response, server, words


def check(row: Fault, response: AgentResponse, server: WireServer) -> None:
    """The error is one short line without the key; the requests are those that are due."""
    said = response.error or ""
    assert response.content == row.content or not row.content
    assert bool(said) == bool(row.told), said
    assert row.told in said, said
    assert "\n" not in said
    assert len(said) <= 600
    assert KEY not in said
    assert said.isprintable()
    assert len(server.asked) <= row.requests + (row.wires[0].data[9:12] in {b"400", b"422"})


@pytest.mark.parametrize("row", names(PLAIN))
def test_a_fault_of_the_messages_api_is_one_line(workspace: Workspace, row: Fault) -> None:
    response, server, _ = claude(workspace, row, is_streamed=False)

    check(row, response, server)


@pytest.mark.parametrize("row", names(STREAMED))
def test_a_fault_of_a_stream_is_one_line(workspace: Workspace, row: Fault) -> None:
    response, server, words = claude(workspace, row, is_streamed=True)

    check(row, response, server)
    assert not row.content or words == row.content


def small(
    workspace: Workspace,
    row: Fault,
    *,
    known: dict[str, Wire],
    of: type[OllamaChat | OpenAIChat] = OllamaChat,
) -> tuple[AgentResponse, WireServer]:
    """Ask the agent behind a small model's server that does what the row says."""
    with wire_server(*row.wires, known=known) as server:
        config = AgentConfig(
            base_url=server.url, model="tiny", timeout=row.timeout, max_iterations=3
        )
        with closing(SmallModel(of(config))) as model:
            agent = MUAgent(config, model, workspace=workspace)
            return agent.ask("who calls login?"), server


@pytest.mark.parametrize("row", names(OLLAMA))
def test_a_fault_of_a_local_model_is_one_line(workspace: Workspace, row: Fault) -> None:
    check(row, *small(workspace, row, known=SHOWN))


@pytest.mark.parametrize("row", names(CALLED))
def test_a_fault_of_native_calls_is_one_line(workspace: Workspace, row: Fault) -> None:
    check(row, *small(workspace, row, known=NATIVE))


@pytest.mark.parametrize("row", names(OPENAI))
def test_a_fault_of_the_other_api_is_one_line(workspace: Workspace, row: Fault) -> None:
    check(row, *small(workspace, row, known={"/props": http(500)}, of=OpenAIChat))


@pytest.mark.parametrize("row", names(SHOWS))
def test_a_fault_of_what_a_model_can_is_one_line(workspace: Workspace, row: Fault) -> None:
    asked = fault(row.name, said(DONE), told=row.told, content=row.content, timeout=row.timeout)

    check(asked, *small(workspace, asked, known={"/api/show": row.wires[0]}))
