from collections.abc import Callable
from types import FrameType, ModuleType, TracebackType
from typing import Any, NoReturn, TextIO

argv: list[str]
orig_argv: list[str]
path: list[str]
warnoptions: list[str]
byteorder: str
executable: str
platform: str
prefix: str
exec_prefix: str
base_prefix: str
version: str
hexversion: int
maxsize: int
maxunicode: int
dont_write_bytecode: bool
builtin_module_names: tuple[str, ...]
stdlib_module_names: frozenset[str]
modules: dict[str, ModuleType]
meta_path: list[Any]
path_hooks: list[Callable[[str], Any]]
path_importer_cache: dict[str, Any]
stdin: TextIO
stdout: TextIO
stderr: TextIO
__stdin__: TextIO
__stdout__: TextIO
__stderr__: TextIO
excepthook: Callable[[type[BaseException], BaseException, TracebackType | None], Any]
displayhook: Callable[[Any], Any]
unraisablehook: Callable[[Any], Any]
flags: Any
float_info: Any
implementation: Any
class _version_info(tuple[Any, ...]):
    major: int
    minor: int
    micro: int
    serial: int
    releaselevel: str
version_info: _version_info
def exit(status: Any = ...) -> NoReturn: ...
def exc_info() -> tuple[Any, Any, Any]: ...
def exception() -> BaseException | None: ...
def intern(string: str) -> str: ...
def getsizeof(obj: Any, default: int = ...) -> int: ...
def getrecursionlimit() -> int: ...
def setrecursionlimit(limit: int) -> None: ...
def getdefaultencoding() -> str: ...
def getfilesystemencoding() -> str: ...
def getfilesystemencodeerrors() -> str: ...
def _getframe(depth: int = ...) -> FrameType: ...
def _current_frames() -> dict[int, FrameType]: ...
def settrace(function: Callable[..., Any] | None) -> None: ...
def setprofile(function: Callable[..., Any] | None) -> None: ...
def gettrace() -> Callable[..., Any] | None: ...
def getprofile() -> Callable[..., Any] | None: ...
def addaudithook(hook: Callable[[str, tuple[Any, ...]], Any]) -> None: ...
def __getattr__(name: str) -> Any: ...
