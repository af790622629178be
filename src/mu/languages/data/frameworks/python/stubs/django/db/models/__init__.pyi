from typing import Any

from django.db.models.base import Model as Model
from django.db.models.manager import Manager as Manager
from django.db.models.query import QuerySet as QuerySet

def __getattr__(name: str) -> Any: ...
