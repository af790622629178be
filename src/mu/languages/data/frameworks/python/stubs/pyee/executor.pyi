from typing import Any

from pyee.base import EventEmitter

class ExecutorEventEmitter(EventEmitter):
    def __getattr__(self, name: str) -> Any: ...
