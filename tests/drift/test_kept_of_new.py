"""What of a record of which nothing is known is served, while all pages are in doubt for one field."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from crawloop_assets.drift.check import Finding
from crawloop_assets.drift.kept import InPart, KeptRecord
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift import small
from tests.drift.test_kept import AGREED, ALONE, KNOWN, NONE, SCHEMA, URL, against


def new_beside(
    *known: PageOutcome, against: Mapping[str, Sequence[Finding]] = {}, **votes: Any
) -> KeptRecord | None:
    """What is served of a new page in a batch that is held for its image."""
    values = {
        "sku": "K-9",
        "title": "Pan",
        "price": "9.00",
        "image": "https://x.example",
    }
    fresh = small.outcome(values, url=f"{URL}9", votes={"price": AGREED, **votes})
    held, image = against, frozenset(("image",))
    found = InPart(SCHEMA, small.family(), NONE, Tallies(), held, image)
    return found.of([*known, fresh]).get(f"{URL}9", {}).get(0)


def known_pages(count: int, changed: int = 0) -> list[PageOutcome]:
    """Pages whose records are as they are known, but for the title of the last ones."""
    records = [KNOWN | {"sku": f"K-{n}"} for n in range(count)]
    return [
        small.outcome(
            record | ({"title": "Pot"} if at >= count - changed else {}),
            url=f"{URL}{at}",
            previous=[record],
            votes={"price": AGREED},
        )
        for at, record in enumerate(records)
    ]


def test_a_new_page_is_served_without_what_the_whole_batch_is_held_for() -> None:
    """Once each other value is read as it is known in nearly all records, or by two readers."""
    found = new_beside(*known_pages(3))
    assert found is not None and found.kept == {"image"}
    assert found.values == {"sku": "K-9", "title": "Pan", "price": "9.00"}
    assert new_beside(*known_pages(2)) is None
    assert new_beside(*known_pages(2), sku=AGREED, title=AGREED) is not None
    assert new_beside(*known_pages(9, changed=1)) is None
    assert new_beside(*known_pages(10, changed=1)) is not None
    assert new_beside(*known_pages(9, changed=1), title=AGREED) is not None
    assert new_beside(*known_pages(3), price=ALONE) is not None
    rival = AGREED.model_copy(update={"rivals": ("8.00",)})
    assert new_beside(*known_pages(9, changed=1), title=rival) is None


@pytest.mark.parametrize(("signs", "is_served"), [(4, True), (2, False)])
def test_a_sign_against_a_new_value_is_none_where_known_ones_show_it_and_are_right(
    signs: int, is_served: bool
) -> None:
    """A redesign confuses one reader of the title on all pages; on few nobody knows."""
    known = known_pages(9)
    tallies = Tallies()
    fresh = small.outcome(
        {"sku": "K-9", "title": "Pan", "price": "9.00"}, url=f"{URL}9"
    )
    for at in (*range(signs), 9):
        tallies.add(Sign.KEPT, "title", at, has_sign=True)
    image = frozenset(("image",))
    found = InPart(SCHEMA, small.family(), NONE, tallies, {}, image)
    assert (f"{URL}9" in found.of([*known, fresh])) is is_served


def test_a_new_page_waits_for_what_speaks_against_itself() -> None:
    image, title = ({f"{URL}9": against(name)[URL]} for name in ("image", "title"))
    assert new_beside(*known_pages(3), against=image) is not None
    assert new_beside(*known_pages(3), against=title) is None
