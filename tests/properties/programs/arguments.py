"""Python whose functions pass one another functions, classes and objects."""

from properties.programs.writing import Grammar

ARGUMENTS = Grammar(
    files=("one.py", "two.py", "three.py"),
    fixed={},
    templates={
        "file": (
            "<imports>\n<class>\n<def>\n<def>\n<def>\nf(A())",
            "<imports>\n<class>\n<class>\n<def>\n<def>\ng(B, f)",
        ),
        "imports": ("from one import *\nfrom two import *\nfrom three import *",),
        "f": ("f", "g", "h", "k"),
        "A": ("A", "B", "C"),
        "m": ("go", "run"),
        "p": ("p", "q", "v"),
        "class": (
            "class <A>:\n    <method>",
            "class <A>(<A>):\n    <method>\n    <method>",
            "class <A>(<A>):\n    <init>\n    <method>",
            "class <A>:\n    <init>\n    <method>\n    <method>",
        ),
        "init": ("def __init__(self, p=None, q=None):\n    self.held = <e>",),
        "method": ("def <m>(self, p=None, q=None):\n    <s>\n    <s>",),
        "def": (
            "def <f>(p, q=None):\n    <s>\n    <s>",
            "def <f>(p):\n    <s>\n    <s>\n    <s>",
            "def <f>(p, *q):\n    <s>\n    <f>(*q)",
            "def <f>(p, **q):\n    <s>\n    <f>(p, **q)",
        ),
        "s": (
            "pass",
            "<f>(<e>)",
            "<f>(<e>, <e>)",
            "<f>(<p>, q=<e>)",
            "<p>.<m>(<e>)",
            "<p>(<e>)",
            "return <e>",
            "v = <e>",
            "<p>.held = <e>",
            "if isinstance(<p>, <A>):\n    <s>",
            "for v in <p>:\n    <s>",
        ),
        "e": (
            "<p>",
            "<p>",
            "<f>",
            "<A>",
            "<A>(<e>)",
            "<f>(<e>)",
            "<p>.held",
            "<p> or <e>",
            "(<e>, <e>)",
            "[<e>]",
            "lambda v: <f>(v)",
        ),
    },
)
