from email.message import Message
from typing import Any

class MIMEBase(Message):
    def __init__(self, _maintype: str, _subtype: str, *, policy=..., **_params: Any) -> None: ...
