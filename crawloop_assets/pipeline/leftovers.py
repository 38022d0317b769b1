"""Families whose files are gone: what is left of them is marked, and said beside the
published file, until a person removes it."""

from collections.abc import Sequence

import dagster as dg

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.project import Project
from crawloop_assets.store import Store


def mark_leftovers(
    store: Store, families: Sequence[Family]
) -> dict[str, dg.MetadataValue]:
    """Mark the rows of families that neither this process knows nor any file declares
    now; as metadata what is left of them.

    While one file cannot be read, or there is none, nothing is known to be gone.
    """
    try:
        in_files = Project.find().load_families()
    except ConfigError:
        return {}
    if not in_files:
        return {}
    names = {family.family for family in (*families, *in_files)}
    left = store.families.mark_left(names)
    if not left:
        return {}
    said = "\n".join(f"- {one}" for one in left)
    return {"families_without_a_file": dg.MetadataValue.md(said)}
