from email.mime.base import MIMEBase
from typing import Any

class MIMEText(MIMEBase):
    def __init__(self, _text: str, _subtype: str = ..., _charset=..., *, policy=...) -> None: ...
