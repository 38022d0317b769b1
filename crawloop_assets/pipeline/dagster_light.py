"""Dagster's storages without what they load and hardly a process needs: Alembic, which
is for who makes a database or changes its layout, and what colours tracebacks. Both
take an eighth of a run that starts anew.

Import it before them.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_light.py.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["read_once"]

_STORAGE = "dagster._core.storage.sql"
_ALEMBIC = (
    "alembic.command",
    "alembic.config",
    "alembic.runtime.environment",
    "alembic.runtime.migration",
    "alembic.script",
)
_LOGS = "structlog.dev"
_COLOURS = "rich"
_reading = threading.RLock()


def _leave_for_later() -> None:
    """Nothing is done where one of the two is loaded already."""
    if _STORAGE in sys.modules or "alembic" in sys.modules:
        return
    stand_ins: dict[str, Any] = {name: _Later(name) for name in _ALEMBIC}
    if _COLOURS not in sys.modules:
        stand_ins[_COLOURS] = None  # as if it were not installed
    sys.modules.update(stand_ins)
    try:
        import_module(_STORAGE)
        import_module(_LOGS)
    finally:
        for name in stand_ins:
            del sys.modules[name]


@contextmanager
def read_once() -> Iterator[None]:
    """Inside, the history of all layouts is read once, and not for each database that is
    looked at and again for each that is made."""
    directory: Any = import_module("alembic.script").ScriptDirectory
    whole = directory.__dict__["from_config"]

    kept: dict[str | None, Any] = {}

    def from_config(_: type, config: Any) -> Any:
        location = config.get_main_option("script_location")
        if location not in kept:
            kept[location] = whole.__get__(None, directory)(config)
        return kept[location]

    with _reading:
        directory.from_config = classmethod(from_config)
        try:
            yield
        finally:
            directory.from_config = whole


class _Later(ModuleType):
    """A module of which whatever is asked for is something that is there later."""

    def __getattr__(self, name: str) -> "_Thing":
        if name.startswith("__"):
            raise AttributeError(name)
        return _Thing(self.__name__, name)


class _Thing:
    """A function or class of a module that is loaded when it is called, or asked for what
    it has."""

    def __init__(self, module: str, name: str):
        self._module, self._name = module, name

    def __call__(self, *given: Any, **more: Any) -> Any:
        return self._loaded()(*given, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loaded(), name)

    def _loaded(self) -> Any:
        return getattr(import_module(self._module), self._name)


_leave_for_later()
