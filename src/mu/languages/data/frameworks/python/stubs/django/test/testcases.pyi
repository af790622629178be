import unittest
from typing import Any

class SimpleTestCase(unittest.TestCase):
    def __getattr__(self, name: str) -> Any: ...

class TransactionTestCase(SimpleTestCase):
    def __getattr__(self, name: str) -> Any: ...

class TestCase(TransactionTestCase):
    @classmethod
    def setUpTestData(cls) -> None: ...

class LiveServerTestCase(TransactionTestCase):
    def __getattr__(self, name: str) -> Any: ...
