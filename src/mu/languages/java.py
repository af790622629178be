"""Java: what its names mean, beyond what the syntax says. A subset, see `tests/corpora/java`."""

from mu.languages.java_packages import JavaPackages
from mu.languages.stubs import java_stubs
from mu.model.facts import Definition, FileFacts, Import
from mu.resolve import LanguageRules, Layout, ModuleFinder

_LANG = """
    AutoCloseable Boolean Byte CharSequence Character Class ClassCastException Cloneable
    Comparable Deprecated Double Enum Error Exception Float FunctionalInterface
    IllegalArgumentException IllegalStateException IndexOutOfBoundsException Integer
    InterruptedException Iterable Long Math NullPointerException Number NumberFormatException
    Object Override Process ProcessBuilder Record Runnable Runtime RuntimeException
    SafeVarargs SecurityException Short StackTraceElement String StringBuffer StringBuilder
    SuppressWarnings System Thread ThreadLocal Throwable UnsupportedOperationException Void
"""
_IN_LANG = frozenset(_LANG.split())
_LITERALS = {
    "str": "String",
    "int": "Integer",
    "float": "Double",
    "char": "Character",
    "bool": "Boolean",
}


class JavaRules(LanguageRules):
    """Java's scopes, members and packages; source: the language specification, chapters 6 to 8."""

    name = "java"
    class_scopes_enclose = True
    own_name = "this"
    parent_name = "super"
    has_overloads = True
    knows_assignments = False  # only those that declare
    has_function_names = True
    constructors = ("<init>",)
    iterate_methods = ("iterator",)
    next_methods = ("next",)
    index_method = "get"  # of the stub of arrays, which alone have subscripts
    root_class = "java.lang.Object"

    def module_finder(self, layout: Layout) -> ModuleFinder:
        return JavaPackages(layout.paths, layout.roots)

    def taken_name(self, row: Import) -> str:
        return row.local

    def builtin(self, name: str) -> str | None:
        return f"java.lang.{name}" if name in _IN_LANG else None

    def library(self, dotted: str) -> FileFacts | None:
        return java_stubs().facts(dotted)

    def literal_type(self, kind: str) -> str:
        return f"java.lang.{_LITERALS.get(kind, kind)}"

    def is_class_name(self, dotted: str) -> bool:
        return dotted.rpartition(".")[2][:1].isupper()

    def is_stdlib(self, dotted: str) -> bool:
        return dotted.startswith(("java.", "javax."))

    def is_static(self, definition: Definition) -> bool:
        return "static" in _modifiers(definition)

    def is_abstract(self, definition: Definition) -> bool:
        return "abstract" in _modifiers(definition)


def _modifiers(definition: Definition) -> list[str]:
    return definition.signature.partition("(")[0].split()


RULES = JavaRules()
