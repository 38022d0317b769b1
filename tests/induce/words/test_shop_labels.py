from itertools import chain

import pytest

from crawloop_assets.induce.words.shop_labels import CODE_LABELS, PRICE_LABELS
from crawloop_assets.values.text import letters

TABLES = [PRICE_LABELS, *CODE_LABELS.values()]


@pytest.mark.parametrize("table", TABLES)
def test_every_language_has_one_or_two_labels(
    table: dict[str, tuple[str, ...]],
) -> None:
    assert {"en", "de", "fr", "ja"} <= table.keys()
    assert all(language.isalpha() for language in table)
    assert {len(labels) for labels in table.values()} <= {1, 2}
    assert all(map(letters, chain.from_iterable(table.values())))
