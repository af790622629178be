from typing import Any

errorcode: dict[int, str]
def __getattr__(name: str) -> Any: ...
