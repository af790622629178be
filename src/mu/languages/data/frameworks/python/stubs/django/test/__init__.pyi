from typing import Any

from django.test.testcases import (
    LiveServerTestCase as LiveServerTestCase,
    SimpleTestCase as SimpleTestCase,
    TestCase as TestCase,
    TransactionTestCase as TransactionTestCase,
)

def __getattr__(name: str) -> Any: ...
