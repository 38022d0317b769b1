"""Pages that a family lists and that never were a record of it, as far as is known."""

from collections.abc import Sequence

from crawloop_assets.family import Family
from crawloop_assets.store import Store


def strangers_among(
    family: Family, store: Store, urls: Sequence[str]
) -> frozenset[str]:
    """The urls of which nothing was ever published and no example says anything."""
    shown = {example.url for example in family.examples}
    return frozenset(urls) - store.past.published(family, urls) - shown
