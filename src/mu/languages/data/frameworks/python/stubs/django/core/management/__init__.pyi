from typing import Any

from django.core.management.base import BaseCommand as BaseCommand, CommandError as CommandError

def __getattr__(name: str) -> Any: ...
