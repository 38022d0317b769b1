"""Readers that are wrong in one way each: nothing wrong is published where history or a second witness exists."""

from pathlib import Path

import pytest

from tests.core import core
from tests.serve.market import CASES, KNOWN, NEW, Case, cards, opened, prose
from tests.serve.wrong_readers import WRONG, Reader, fate

MIXED = {
    "told in words": Case((*KNOWN[:4], *NEW[:4]), prose, moved="-1.50"),
    "each in its place": Case((*KNOWN[:5], *NEW[:4]), cards, moved="-1.50"),
    "stated for machines": Case(NEW[:5], prose, is_stated=True),
}
"""Known pages, some of whose prices moved, with pages beside them that were never seen."""


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A market whose first design was crawled."""
    folder = tmp_path_factory.mktemp("market") / "world"
    opened(folder)
    return folder


ON_SINGLE_PAGES = {
    f"{name}, {kind}": (case, reader)
    for name, case in MIXED.items()
    for kind, reader in WRONG.items()
}


@pytest.mark.parametrize(("case", "reader"), core(ON_SINGLE_PAGES, every=6))
def test_on_single_pages_of_a_batch(market: Path, case: Case, reader: Reader) -> None:
    found = fate(market, case, reader, every=3)
    assert found.wrong and not found.published_wrong, found.example


@pytest.mark.parametrize("reader", core(WRONG, every=3))
def test_on_every_page(market: Path, reader: Reader) -> None:
    found = fate(market, MIXED["each in its place"], reader)
    assert not found.published_wrong, found.example


SERVED = {
    "known, the same values": 8,
    "known, half of the prices moved": 8,
    "known, half of the prices moved, told in words": 4,
    "never seen, stated for machines": 8,
    "never seen, known ones beside": 8,
    "never seen, no witness": 0,
}


@pytest.mark.parametrize("name", CASES)
def test_a_right_reader_is_believed_where_something_else_says_the_same(
    market: Path, name: str
) -> None:
    found = fate(market, CASES[name], lambda truth, _at: truth)
    assert (found.published_right, found.published_wrong) == (SERVED[name], 0)
