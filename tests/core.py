"""Of tests that are many of one kind a core is run each time, and all of them where CRAWLOOP_LONG=1 asks for it."""

from collections.abc import Mapping
from typing import Any

import pytest


def core(cases: Mapping[str, Any], every: int = 1) -> list[Any]:
    """Parameters of a test by name, several as a tuple: each so many-th is of the core, the others are long."""
    parameters = []
    for at, (name, case) in enumerate(cases.items()):
        values = case if isinstance(case, tuple) else (case,)
        marks = [pytest.mark.long] if at % every else []
        parameters.append(pytest.param(*values, id=name, marks=marks))
    return parameters
