from collections.abc import Callable
from typing import Any

from celery.app.base import Celery as Celery
from celery.app.task import Task as Task

def __getattr__(name: str) -> Any: ...
def shared_task(*args, **kwargs) -> Callable[[Callable[..., Any]], Task]: ...
