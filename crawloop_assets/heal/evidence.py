"""What is red now: the evidence by which two waves are about the same thing."""

from itertools import chain
from operator import attrgetter

from crawloop_assets.family import Family
from crawloop_assets.store import RedEvidence, Store


def red_evidence(store: Store, family: Family) -> RedEvidence:
    """What the red batches of a family show now.

    Where a required field is among what fails, the pages are not read at all, and what
    else fails there is no news: then all fields do. So they do where a check is against
    something else than fields, as rows that are found no more.
    """
    red = store.past.red(family.family)
    schema = family.schema_spec()
    every = list(map(attrgetter("name"), schema.fields))
    names = set(chain.from_iterable(map(attrgetter("fields"), red)))
    is_all = any(map(attrgetter("others"), red))
    if is_all or any(map(schema.requires, names.intersection(every))):
        names.update(every)
    layouts = dict.fromkeys(chain.from_iterable(map(attrgetter("layouts"), red)))
    shown = set(chain.from_iterable(map(attrgetter("still_shown"), red)))
    return RedEvidence(
        fields=tuple(sorted(names)),
        still_shown=tuple(sorted(shown)),
        layouts=tuple(layouts),
    )
