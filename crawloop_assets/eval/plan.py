"""What to do with a family: its cases, made from the index alone, so that a family that
dies is still counted.

A *layout* is a run of captures no redesign separates. A case learns from some captures
and is scored on others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from crawloop_assets.eval.pack import Capture, PackFamily, Redesign
from crawloop_assets.eval.schemas import PARTIAL, SINGLE, model_for
from crawloop_assets.eval.tasks import Task

MAX_TEST = 4
EXAMPLES = 5


@dataclass(frozen=True)
class Hint:
    """An after-page to heal with, and the before-page whose record is its last known
    one."""

    page: str
    known: str | None = None


@dataclass(frozen=True)
class Case:
    """One learn-and-score experiment.

    All pages by id. `hints` are only used by the healing tasks.
    """

    task: Task
    learn: tuple[str, ...]
    test: tuple[str, ...]
    hints: tuple[Hint, ...] = ()
    unchanged: bool = False


@dataclass(frozen=True)
class Unit:
    """The captures of one family that share a record model; families are averaged by
    `family.family`."""

    family: PackFamily
    model: str
    listing: bool
    partial: bool
    pages: tuple[Capture, ...]


def units(family: PackFamily) -> list[Unit]:
    """Split a family by record model (a site of quotes has listing pages and author
    pages)."""
    by_model: dict[str, list[Capture]] = {}
    for page in family.pages:
        if page.records:
            model = model_for(
                family.schema_name, {name for record in page.records for name in record}
            )
            by_model.setdefault(model.__name__, []).append(page)
    return [
        Unit(
            family=family,
            model=model,
            listing=model not in SINGLE
            and (
                family.kind == "listing" or any(len(page.records) > 1 for page in pages)
            ),
            partial=model in PARTIAL,
            pages=tuple(pages),
        )
        for model, pages in by_model.items()
    ]


def cases(unit: Unit) -> list[Case]:
    """All cases of a unit, in a fixed order."""
    found: list[Case] = []
    for layout in layouts(unit):
        found += _compiles(layout)
        if unit.family.unchanged and len(layout) > 1:
            found.append(
                Case(Task.DRIFT, layout[:1], layout[1 : 1 + MAX_TEST], unchanged=True)
            )
        if not unit.listing and unit.model != "Document":
            found.append(Case(Task.ZERO_EXAMPLES, layout[:1], layout[:MAX_TEST]))
    if unit.listing:
        found += [
            Case(Task.LISTING, (page.id,), (page.id,))
            for page in unit.pages
            if len(page.records) > EXAMPLES
        ]
    for redesign in _merged(unit):
        found += _heals(unit, redesign)
    return found


def layouts(unit: Unit) -> list[tuple[str, ...]]:
    """Page ids by layout: as labelled, else as connected by `unchanged` pairs, else as
    separated by redesigns."""
    if unit.family.unchanged:
        labels = _connected(unit)
    elif any(page.layout is not None for page in unit.pages):
        labels = {
            page.id: page.id if page.layout is None else f"layout {page.layout}"
            for page in unit.pages
        }
    else:
        labels = _separated(unit)
    groups: dict[str, list[str]] = {}
    for page in unit.pages:
        groups.setdefault(labels[page.id], []).append(page.id)
    return [tuple(group) for group in groups.values()]


def _connected(unit: Unit) -> dict[str, str]:
    labels = {page.id: page.id for page in unit.pages}
    for left, right in unit.family.unchanged:
        if left in labels and right in labels and labels[left] != labels[right]:
            old, new = labels[right], labels[left]
            labels = {
                page: new if label == old else label for page, label in labels.items()
            }
    return labels


def _separated(unit: Unit) -> dict[str, str]:
    apart = {
        (b, a)
        for redesign in unit.family.redesigns
        for b in redesign.before
        for a in redesign.after
    }
    labels: dict[str, str] = {}
    group: list[str] = []
    for page in sorted(unit.pages, key=lambda page: (page.captured or "", page.id)):
        if any(
            (other, page.id) in apart or (page.id, other) in apart for other in group
        ):
            group = []
        group.append(page.id)
        labels[page.id] = group[0]
    return labels


def _compiles(layout: Sequence[str]) -> Iterable[Case]:
    by_k = ((Task.COMPILE, 1), (Task.COMPILE_K2, 2), (Task.COMPILE_K3, 3))
    for task, k in by_k:
        test = tuple(layout[k : k + MAX_TEST])
        if test:
            yield Case(task, tuple(layout[:k]), test)


def _merged(unit: Unit) -> list[Redesign]:
    """Redesigns between the same two labelled layouts are one (a listing of ten pages
    changes once, not ten times)."""
    labels = {page.id: page.layout for page in unit.pages}
    merged: dict[tuple[str, ...], Redesign] = {}
    for redesign in unit.family.redesigns:
        before = tuple(page for page in redesign.before if page in labels)
        after = tuple(page for page in redesign.after if page in labels)
        if not before or not after:
            continue
        sides = (labels[before[0]], labels[after[0]])
        key = before + after if None in sides else tuple(map(str, sides))
        old = merged.get(key)
        pairs = redesign.same_page or (
            tuple(zip(before, after, strict=False)) if unit.listing else ()
        )
        if old:
            before = tuple(dict.fromkeys(old.before + before))
            after = tuple(dict.fromkeys(old.after + after))
            pairs = tuple(dict.fromkeys(old.same_page + pairs))
        merged[key] = Redesign(before=before, after=after, same_page=pairs)
    return list(merged.values())


def _heals(unit: Unit, redesign: Redesign) -> Iterable[Case]:
    """Held-out cases (heal with the other after-pages), blind ones (no known value at
    all) and alignable ones."""
    known = {after: before for before, after in redesign.same_page}
    records = {page.id: page.records for page in unit.pages}
    learn, after = redesign.before[:MAX_TEST], redesign.after[:MAX_TEST]
    hints = tuple(Hint(page, known.get(page)) for page in after)
    yield Case(Task.DRIFT, learn, after, hints)
    for target in after:
        others = tuple(hint for hint in hints if hint.page != target)
        base = Case(Task.HEAL, learn, (target,), others)
        if any(hint.known for hint in others):
            yield base
        pair = known.get(target)
        own = pair is not None and (
            not unit.listing or records[pair] == records[target]
        )
        # A listing moves on: the last known records of a page are rarely still on it, and then give nothing away.
        yield replace(
            base,
            task=Task.HEAL_BLIND,
            hints=(Hint(target, pair if unit.listing and not own else None),),
        )
        if own:
            yield replace(base, task=Task.ALIGNABLE, hints=(Hint(target, pair),))
