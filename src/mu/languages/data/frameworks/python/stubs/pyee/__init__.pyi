from typing import Any

from pyee.base import EventEmitter as EventEmitter

def __getattr__(name: str) -> Any: ...
