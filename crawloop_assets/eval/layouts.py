"""Which captures of a family share a layout, and which redesigns separate them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from operator import attrgetter

from crawloop_assets.eval.pack import Capture, PackFamily, Redesign


@dataclass(frozen=True)
class Unit:
    """The captures of one family that share a record model; families are averaged by
    `family.family`."""

    family: PackFamily
    model: str
    listing: bool
    partial: bool
    pages: tuple[Capture, ...]


def layouts(unit: Unit) -> list[tuple[str, ...]]:
    """Page ids by layout: as labelled, else as connected by `unchanged` pairs, else as
    separated by redesigns."""
    groups: dict[str, list[str]] = {}
    labels = _labels(unit)
    for page in unit.pages:
        groups.setdefault(labels[page.id], []).append(page.id)
    return list(map(tuple, groups.values()))


def _labels(unit: Unit) -> dict[str, str]:
    """Page id -> a name of its layout."""
    if unit.family.unchanged:
        return _connected(unit)
    if any(page.layout is not None for page in unit.pages):
        return {page.id: _label(page) for page in unit.pages}
    return _separated(unit)


def _label(page: Capture) -> str:
    """A page without a layout is one of its own."""
    return page.id if page.layout is None else f"layout {page.layout}"


def _connected(unit: Unit) -> dict[str, str]:
    """Page id -> layout, where the pack says which pairs of pages are unchanged: what
    is connected by pairs is one layout, named by one of its pages."""
    labels = {page.id: page.id for page in unit.pages}
    for left, right in unit.family.unchanged:
        if left in labels and right in labels:
            _rename(labels, labels[right], labels[left])
    return labels


def _rename(labels: dict[str, str], old: str, new: str) -> None:
    """Give all pages of one layout the name of another: they have turned out to be one
    and the same."""
    renamed = [page for page, label in labels.items() if label == old]
    labels |= dict.fromkeys(renamed, new)


def _separated(unit: Unit) -> dict[str, str]:
    """Page id -> layout, where only redesigns are known: pages by their time, with a
    new layout at the first page that a redesign separates from one before."""
    apart = _apart(unit.family)
    labels: dict[str, str] = {}
    group: list[str] = []
    for page in sorted(unit.pages, key=lambda page: (page.captured or "", page.id)):
        if any((other, page.id) in apart for other in group):
            group = []
        group.append(page.id)
        labels[page.id] = group[0]
    return labels


def _apart(family: PackFamily) -> set[tuple[str, str]]:
    """Pairs of pages that a redesign separates, both ways round."""
    pairs: set[tuple[str, str]] = set()
    for redesign in family.redesigns:
        pairs.update(product(redesign.before, redesign.after))
        pairs.update(product(redesign.after, redesign.before))
    return pairs


def merged_redesigns(unit: Unit) -> list[Redesign]:
    """Redesigns between the same two labelled layouts are one (a listing of ten pages
    changes once, not ten times)."""
    layout_of = {page.id: page.layout for page in unit.pages}
    merged: dict[tuple[str, ...], Redesign] = {}
    for redesign in unit.family.redesigns:
        known = _within(unit, redesign)
        if not known.before or not known.after:
            continue
        key = _sides(known, layout_of)
        merged[key] = _joined(merged[key], known) if key in merged else known
    return list(merged.values())


def _sides(
    redesign: Redesign, layout_of: Mapping[str, str | int | None]
) -> tuple[str, ...]:
    """What redesigns that are one have in common: the layouts before and after. Where
    one of them has no label, its own pages, which no other redesign has."""
    sides = (layout_of[redesign.before[0]], layout_of[redesign.after[0]])
    if None in sides:
        return redesign.before + redesign.after
    return tuple(map(str, sides))


def _within(unit: Unit, redesign: Redesign) -> Redesign:
    """The part of a redesign that is about pages of the unit; those of a listing are
    paired in order if the pack does not pair them."""
    ids = set(map(attrgetter("id"), unit.pages))
    before = tuple(filter(ids.__contains__, redesign.before))
    after = tuple(filter(ids.__contains__, redesign.after))
    pairs = redesign.same_page
    if unit.listing and not pairs:
        pairs = tuple(zip(before, after, strict=False))
    return Redesign(before=before, after=after, same_page=pairs)


def _joined(old: Redesign, new: Redesign) -> Redesign:
    """Both redesigns as one, each page and pair once."""
    return Redesign(
        before=tuple(dict.fromkeys(old.before + new.before)),
        after=tuple(dict.fromkeys(old.after + new.after)),
        same_page=tuple(dict.fromkeys(old.same_page + new.same_page)),
    )
