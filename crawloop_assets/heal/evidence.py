"""What is red now: the evidence by which two waves are about the same thing."""

from crawloop_assets.family import Family
from crawloop_assets.store import RedEvidence, Store


def red_evidence(store: Store, family: Family) -> RedEvidence:
    """What the red batches of a family show now.

    Where a required field is among what fails, the pages are not read at all, and what
    else fails there is no news: then all fields do.
    """
    red = store.past.red(family.family)
    names = {name for state in red for name in state.fields}
    specs = family.schema_spec().fields
    if any(spec.required and spec.name in names for spec in specs):
        names.update(spec.name for spec in specs)
    layouts = dict.fromkeys(layout for state in red for layout in state.layouts)
    return RedEvidence(fields=tuple(sorted(names)), layouts=tuple(layouts))
