"""A server on loopback that speaks Ollama's API, and OpenAI's as llama.cpp has it, from a script.

It records what it was sent. A reply is a text, or a message with calls of tools, see `calling`.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from fakes.messages_server import QuietServer

Json = dict[str, object]


@dataclass
class OllamaServer:
    """The server: where it is, what it still has to say, and the chats it was sent."""

    url: str
    script: list[str | Json]
    window: int
    has_tools: bool = False
    is_known: bool = True
    chats: list[dict[str, object]] = field(default_factory=list)


def calling(*calls: tuple[str, Json], is_text: bool = False) -> Json:
    """A message that calls tools; arguments as text are what OpenAI's API has."""
    rows = [
        {
            "id": f"their_{place}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(given) if is_text else given},
        }
        for place, (name, given) in enumerate(calls)
    ]
    return {"role": "assistant", "content": None if is_text else "", "tool_calls": rows}


@contextmanager
def ollama_server(
    *script: str | Json, window: int = 32_768, has_tools: bool = False
) -> Iterator[OllamaServer]:
    """Serve replies in order; each chat is told to have a token for four characters."""
    state = OllamaServer("", list(script), window, has_tools)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if not state.is_known:
                self._send(404, {"error": f"model '{body['model']}' not found"})
            elif self.path == "/api/show":
                able = ["completion", *(["tools"] if state.has_tools else [])]
                info = {"qwen2.context_length": state.window}
                self._send(200, {"model_info": info, "capabilities": able})
            else:
                self._answer(body)

        def do_GET(self) -> None:
            generation = {"n_ctx": state.window}
            able = {"supports_tool_calls": state.has_tools}
            told = {"default_generation_settings": generation, "chat_template_caps": able}
            self._send(200 if self.path == "/props" else 404, told)

        def _answer(self, body: Json) -> None:
            state.chats.append(body)
            count = sum(len(message["content"] or "") for message in body["messages"]) // 4  # type: ignore[attr-defined]  # a list
            reply = state.script.pop(0)
            said = {"role": "assistant", "content": reply} if isinstance(reply, str) else reply
            if self.path == "/api/chat":
                counts: Json = {"prompt_eval_count": count, "eval_count": 7}
                self._send(200, {"message": said, "done": True, **counts})
            else:
                counts = {"prompt_tokens": count, "completion_tokens": 7}
                self._send(200, {"choices": [{"message": said}], "usage": counts})

        def _send(self, status: int, body: dict[str, object]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            pass

    server = QuietServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
