"""What code can see of modules and builtins."""

import re

import pytest

from crawloop_assets.sandbox.code import facade


def test_a_copy_of_a_module_leads_nowhere() -> None:
    names = {name for module in facade.MODULES.values() for name in vars(module)}
    assert not names & {"enum", "sys", "codecs", "etree", "os", "request", "getcontext"}
    assert not hasattr(facade.MODULES["re"], "enum")
    assert not isinstance(vars(facade.MODULES["re"])["I"], re.RegexFlag)


def test_a_copy_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        facade.MODULES["re"].match = None


def test_what_is_imported_is_bound_as_python_does() -> None:
    assert facade.import_module("urllib.parse") is facade.MODULES["urllib"]
    named = facade.import_module("urllib.parse", None, None, ("urljoin",), 0)
    assert named is facade.MODULES["urllib.parse"]
    with pytest.raises(ImportError):
        facade.import_module("os")


def test_there_is_no_clock() -> None:
    for refused in (facade.DateTime.now, facade.DateTime.utcnow, facade.DateTime.today):
        with pytest.raises(ValueError, match="no clock"):
            refused()
    with pytest.raises(ValueError, match="no clock"):
        facade.Date.today()
    assert facade.DateTime.strptime("2026-01-02", "%Y-%m-%d").year == 2026


def test_no_name_after_a_dot_formats_or_tells_the_time() -> None:
    assert not facade.ALLOWED_ATTRIBUTES & {"format", "format_map", "now", "gi_frame"}
    assert {"css", "getall", "strip", "groupdict"} <= facade.ALLOWED_ATTRIBUTES
    assert not any(name.startswith("_") for name in facade.ALLOWED_ATTRIBUTES)


def test_the_builtins_only_compute() -> None:
    given = facade.builtins_of_code()
    assert given["len"] is len
    assert "open" not in given
    assert given is not facade.builtins_of_code()
