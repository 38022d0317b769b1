"""What to do with a family: its cases, made from the index alone, so that a family that
dies is still counted.

A *layout* is a run of captures no redesign separates. A case learns from some captures
and is scored on others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

from crawloop_assets.eval.layouts import Unit, layouts, merged_redesigns
from crawloop_assets.eval.pack import Capture, PackFamily, Redesign
from crawloop_assets.eval.schemas import PARTIAL, SINGLE, model_for
from crawloop_assets.eval.tasks import Task
from crawloop_assets.eval.templates import Template, templated_id

MAX_TEST = 4
EXAMPLES = 5
_LEARNED = 3
"""Pages of a layout that tell how a made-up redesign is healed."""


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


def units(family: PackFamily) -> list[Unit]:
    """Split a family by record model (a site of quotes has listing pages and author
    pages)."""
    by_model: dict[str, list[Capture]] = {}
    for page in family.pages:
        if page.records:
            fields = set(chain.from_iterable(page.records))
            model = model_for(family, fields)
            by_model.setdefault(model.__name__, []).append(page)
    return [_unit(family, model, pages) for model, pages in by_model.items()]


def _unit(family: PackFamily, model: str, pages: Sequence[Capture]) -> Unit:
    """The pages of a family that share a model. They are listings if the family is one
    or a page has several records, unless the model is one of single records."""
    most_records = max(len(page.records) for page in pages)
    is_listing = family.kind == "listing" or most_records > 1
    return Unit(
        family=family,
        model=model,
        listing=is_listing and model not in SINGLE,
        partial=model in PARTIAL,
        pages=tuple(pages),
    )


def cases(unit: Unit) -> list[Case]:
    """All cases of a unit, in a fixed order."""
    found: list[Case] = []
    # Of few families with fields of their own every page is worth its cost.
    most = None if unit.family.fields else MAX_TEST
    for layout in layouts(unit):
        found += _of_layout(unit, layout, most)
        found += _templates(unit, layout)
    if unit.listing:
        found += _listings(unit)
    for redesign in merged_redesigns(unit):
        found += _heals(unit, redesign)
    return found


def _of_layout(unit: Unit, layout: tuple[str, ...], most: int | None) -> Iterable[Case]:
    """The cases that need no redesign, from the captures of one layout; so many pages
    are scored, or all."""
    yield from _compiles(layout, most)
    if unit.family.unchanged and len(layout) > 1:
        later = layout[1 : 1 + MAX_TEST]
        yield Case(Task.DRIFT, layout[:1], later, unchanged=True)
    if not unit.listing and unit.model != "Document":
        yield Case(Task.ZERO_EXAMPLES, layout[:1], layout[:most])


def _compiles(layout: tuple[str, ...], most: int | None) -> Iterable[Case]:
    """A program from the first one, two or three pages, scored on those that follow;
    none where no page does."""
    by_k = ((Task.COMPILE, 1), (Task.COMPILE_K2, 2), (Task.COMPILE_K3, 3))
    for task, k in by_k:
        test = layout[k:][:most]
        if test:
            yield Case(task, layout[:k], test)


def _templates(unit: Unit, layout: tuple[str, ...]) -> Iterable[Case]:
    """Healing of made-up redesigns: the pages that were learned are shown in another
    template, and so is the page that is scored, of which nothing is known."""
    learn, test = layout[:-1][:_LEARNED], layout[-1:]
    if unit.listing or unit.model == "Document" or not learn:
        return
    for template in Template:
        hints = tuple(Hint(templated_id(page, template), page) for page in learn)
        scored = tuple(templated_id(page, template) for page in test)
        yield Case(Task.HEAL_TEMPLATES, learn, scored, hints)


def _listings(unit: Unit) -> Iterable[Case]:
    """A program from the first records of a page, scored on the rest of them."""
    for page in unit.pages:
        if len(page.records) > EXAMPLES:
            yield Case(Task.LISTING, (page.id,), (page.id,))


def _heals(unit: Unit, redesign: Redesign) -> Iterable[Case]:
    """Held-out cases (heal with the other after-pages), blind ones (no known value at
    all) and alignable ones."""
    known = {after: before for before, after in redesign.same_page}
    learn, after = redesign.before[:MAX_TEST], redesign.after[:MAX_TEST]
    hints = tuple(Hint(page, known.get(page)) for page in after)
    drift = Case(Task.DRIFT, learn, after, hints)
    yield drift
    for hint in hints:
        held_out = _held_out(drift, hint.page)
        if any(map(attrgetter("known"), held_out.hints)):
            yield held_out
        yield from _heals_alone(unit, held_out, hint)


def _held_out(drift: Case, page: str) -> Case:
    """Healing that is scored on one page after a redesign and told only of the others:
    what that page shows must not give its own values away."""
    others = tuple(hint for hint in drift.hints if hint.page != page)
    return Case(Task.HEAL, drift.learn, (page,), others)


def _heals_alone(unit: Unit, held_out: Case, hint: Hint) -> Iterable[Case]:
    """Healing with the scored page only: blind, and from what it showed before."""
    is_alignable = hint.known is not None and _shows_known(unit, hint.known, hint.page)
    # A listing moves on: the last known records of a page are rarely still on it,
    # and then give nothing away.
    gives_away = is_alignable or not unit.listing
    blind = Hint(hint.page) if gives_away else hint
    yield replace(held_out, task=Task.HEAL_BLIND, hints=(blind,))
    if is_alignable:
        yield replace(held_out, task=Task.ALIGNABLE, hints=(hint,))


def _shows_known(unit: Unit, before: str, after: str) -> bool:
    """Whether the records of the page before are those of the page after."""
    records = {page.id: page.records for page in unit.pages}
    return not unit.listing or records[before] == records[after]
