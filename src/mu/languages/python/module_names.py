"""Python's module names; source: the language reference, chapter 5 "The import system"."""

from mu.languages.python.library_data import python_data
from mu.languages.python.manifests import native_modules
from mu.languages.python.module_finder import PythonModules
from mu.languages.stubs import python_stubs
from mu.model.facts import FileFacts, Import
from mu.resolve import Layout, Linkage, ModuleFinder, ModuleNames, Wanted, Wildcards

_LOADERS = """
    ctypes.CDLL ctypes.PyDLL ctypes.WinDLL ctypes.OleDLL ctypes.cdll.LoadLibrary
    ctypes.pydll.LoadLibrary ctypes.windll.LoadLibrary ctypes.oledll.LoadLibrary
    cffi.FFI.dlopen
"""


class PythonModuleNames(ModuleNames):
    """The names that imports bind, builtins, and the standard library."""

    wildcards = Wildcards.ASSIGNED
    export_list = "__all__"
    builtin_module = "builtins"
    module_table = "sys.modules"
    module_name = "__name__"
    native_loaders = frozenset(_LOADERS.split())

    def manifest_settings(self, path: str, text: str) -> object:
        return sorted(native_modules({path: text}))

    def module_finder(self, layout: Layout) -> ModuleFinder:
        native = native_modules(layout.manifests)
        return PythonModules(layout.paths, layout.roots, stdlib=python_data().stdlib, native=native)

    def bound_name(self, row: Import) -> str:
        return row.local or row.module.partition(".")[0]

    def binds_first_part(self, row: Import) -> bool:
        return not row.local and "." in row.module

    def visibility(self, name: str) -> str:
        if not name.startswith("_"):
            return "public"
        return "public" if name.startswith("__") and name.endswith("__") else "private"

    def is_exported(self, name: str) -> bool:
        return not name.startswith("_")

    def builtin(self, name: str) -> str | None:
        return f"builtins.{name}" if name in python_data().builtins else None

    def is_placed(self, name: str) -> bool:
        return name == "super"

    def stub(self, dotted: str) -> FileFacts | None:
        return python_stubs().facts(dotted)

    def stub_exports(self, dotted: str) -> frozenset[str]:
        return python_stubs().reexported_names(dotted)

    def is_stub_package(self, dotted: str) -> bool:
        return python_stubs().is_package(dotted)

    def is_stdlib(self, dotted: str) -> bool:
        return dotted.partition(".")[0] in python_data().stdlib

    def is_module_load(self, dotted: str, name: str) -> bool:
        return dotted == "importlib.import_module" or (
            dotted == "builtins.__import__" and "." not in name
        )

    def loaded_name(self, name: str) -> tuple[str, int]:
        inside = name.lstrip(".")
        return inside, len(name) - len(inside)

    def wanted(self, dotted: str, facts: FileFacts) -> Wanted | None:  # noqa: ARG002 - in any file
        return Wanted(Linkage.EXTENSION, dotted)
