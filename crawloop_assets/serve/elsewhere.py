"""Lets other pages of the site speak of the records of a batch."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from crawloop_assets.family import Family
from crawloop_assets.serve.commit import served_page
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import Store


async def with_elsewhere(
    family: Family, store: Store, readings: Sequence[Reading]
) -> list[Reading]:
    """The readings with what the rows of other families say of their records."""
    pages = [
        served_page(reading)
        for reading in readings
        if reading.good and not reading.skipped and reading.records
    ]
    if not pages:
        return list(readings)
    said = await asyncio.to_thread(store.others.say, family, pages)
    return [
        replace(reading, elsewhere=said.get(reading.url, ())) for reading in readings
    ]
