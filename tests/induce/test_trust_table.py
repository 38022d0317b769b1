import ast
from collections.abc import Iterator
from pathlib import Path

import crawloop_assets
from crawloop_assets.induce.trust import TRUST, TrustUnit
from crawloop_assets.induce.trust_table import ENTRIES, FITTED

TABLES = ("attribute", "cost", "counted", "dialect", "likeness", "text", "valued")
"""Entries that are asked for by a key and not by their whole name."""


def strings() -> Iterator[str]:
    """All texts in the code of the product but for the table itself."""
    for file in Path(crawloop_assets.__path__[0]).rglob("*.py"):
        if file.name != "trust_table.py":
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def test_every_entry_is_asked_for_and_every_name_that_is_asked_for_is_an_entry() -> (
    None
):
    said = set(strings())
    rooms = {name.partition(".")[0] for name in TRUST}
    unused = {name for name in TRUST if name.partition(".")[0] not in TABLES} - said
    assert not unused
    for file in Path(crawloop_assets.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tuned":
                name = node.args[0]
                if isinstance(name, ast.Constant):
                    assert name.value in TRUST, f"{file}: {name.value}"
    assert rooms.issuperset(TABLES)


def test_every_entry_has_a_unit_a_reason_and_where_it_was_fitted() -> None:
    assert len(TRUST) > 250
    for entry in TRUST.values():
        assert entry.unit in TrustUnit and len(entry.reason) > 8 and entry.fitted
    assert len(TRUST) == len(ENTRIES.split("\n")) - 2, "a name stands there once"
    assert FITTED.keys() <= {name.partition(".")[0] for name in TRUST}
    assert TRUST["weights.typed_record"].fitted != TRUST["selectors.of_path"].fitted
