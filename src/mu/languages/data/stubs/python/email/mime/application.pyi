from email.mime.base import MIMEBase
from collections.abc import Callable
from typing import Any

class MIMEApplication(MIMEBase):
    def __init__(
        self, _data, _subtype=..., _encoder: Callable[[Any], Any] = ..., *, policy=...,
        **_params: Any
    ) -> None: ...
