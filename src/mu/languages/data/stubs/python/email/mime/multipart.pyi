from email.mime.base import MIMEBase
from typing import Any

class MIMEMultipart(MIMEBase):
    def __init__(self, _subtype=..., boundary=..., _subparts=..., **kwargs: Any) -> None: ...
