"""A server on loopback that speaks Ollama's API from a script, and records what it was sent."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class OllamaServer:
    """The server: where it is, what it still has to say, and the chats it was sent."""

    url: str
    script: list[str]
    window: int
    is_known: bool = True
    chats: list[dict[str, object]] = field(default_factory=list)


@contextmanager
def ollama_server(*script: str, window: int = 32_768) -> Iterator[OllamaServer]:
    """Serve replies in order; each chat is told to have a token for four characters."""
    state = OllamaServer("", list(script), window)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if not state.is_known:
                self._send(404, {"error": f"model '{body['model']}' not found"})
            elif self.path == "/api/show":
                self._send(200, {"model_info": {"qwen2.context_length": state.window}})
            else:
                state.chats.append(body)
                count = sum(len(message["content"]) for message in body["messages"]) // 4
                said = {"role": "assistant", "content": state.script.pop(0)}
                self._send(
                    200,
                    {"message": said, "done": True, "prompt_eval_count": count, "eval_count": 7},
                )

        def _send(self, status: int, body: dict[str, object]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
