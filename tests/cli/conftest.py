"""The commands are tried on what the rooms behind them are tried on."""

from tests.access.conftest import site
from tests.eval.conftest import pack

__all__ = ["pack", "site"]
