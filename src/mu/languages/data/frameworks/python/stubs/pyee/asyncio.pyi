from typing import Any

from pyee.base import EventEmitter

class AsyncIOEventEmitter(EventEmitter):
    def __getattr__(self, name: str) -> Any: ...
