"""Which kind of evidence is ahead, by what a person says of pages on which two kinds
contradict each other (see drift/late_signs.py)."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.fresher import said_by_kind
from crawloop_assets.drift.late_signs import kind_ahead
from crawloop_assets.family import Family
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec
from crawloop_assets.store import HeldState, QuarantinedPage, QuestionState, Store
from crawloop_assets.values.value import Value

_Records = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class EvidenceAnswer:
    """What a person says of the evidence of a family; `by` has `who` and `why`."""

    family: Family
    store: Store
    by: Mapping[str, str]
    run_id: str | None = None

    def of(self, field: str, page: Page, value: Value) -> str:
        """The kind of evidence that says of a held page what a person does, while another one
        says what was so before, "" if none does. It answers what is asked of the field: no
        version reads more than is there."""
        name, questions = self.family.family, self.store.questions
        held = self.store.quarantine(name, HeldState.HELD)
        there = [one for one in held if one.page_sha256 == page.sha256]
        by = self.with_kind(there, [field], value)
        if by.get("ahead") == questions.ahead(name, self._version).get("ahead"):
            return str(by.get("ahead", ""))
        for question in questions.waiting(name):
            if "ahead" in by and field in question.fields:
                questions.decide(question, QuestionState.TAUGHT, by, self.run_id)
                return str(by["ahead"])
        return ""

    def with_kind(
        self,
        pages: Collection[QuarantinedPage],
        fields: Collection[str],
        value: Value = None,
    ) -> dict[str, Any]:
        """Who says it, and the kind (`ahead`) that says on pages of one record what they say
        of these fields (`value`, or what is read there), while the other one says what was so
        before; nothing of it if none does, or one here and another there. It is said of what
        the active `version` reads, and only of what may change every day: nothing else is
        late. `late` is of how many of all `pages` that is so, by field."""
        name = self.family.family
        held = self.store.quarantine(name, HeldState.HELD)
        before = _before(self.family, self.store, held)
        moving = [spec for spec in self.family.schema_spec().fields if spec.volatile]
        said = [
            _ahead(spec, page, before[page.url], value)
            for spec, page in product(moving, pages)
            if spec.name in fields
        ]
        kinds = set(filter(None, said))
        if len(kinds) != 1:
            return dict(self.by)
        (kind,) = kinds
        late = {
            spec.name: sum(
                _is_late(spec, page, before[page.url], kind) for page in held
            )
            for spec in moving
        }
        of_it = {"ahead": kind.value, "version": self._version, "late": late}
        return {**self.by, **of_it, "pages": len(self.store.frontier(name))}

    @property
    def _version(self) -> int | None:
        active = self.store.active(self.family.family)
        return active.version if active else None


def _before(
    family: Family, store: Store, held: Collection[QuarantinedPage]
) -> defaultdict[str, list[Mapping[str, Any]]]:
    """Url -> the records that are known of it, and what was said, by either kind of evidence,
    of its other documents that were held."""
    of_url = defaultdict[str, list[Mapping[str, Any]]](list)
    for url, known in store.known(family, [page.url for page in held]).items():
        of_url[url] += known
    shown = {page.page_sha256 for page in held}
    for page in store.quarantine(family.family, None):
        if page.page_sha256 not in shown:
            of_url[page.url] += [*page.values, *map(_losing, page.votes or ())]
    return of_url


def _losing(votes: Mapping[str, Any]) -> dict[str, Any]:
    """What lost the votes of a record, by field."""
    against = {name: vote.get("against") or {} for name, vote in votes.items()}
    return {name: said for name in against for said in against[name].values()}


def _said(spec: FieldSpec, page: QuarantinedPage) -> dict[Kind, Value]:
    """What two kinds say of a field of a page, {} if they agree or it has many records."""
    if len(page.values) != 1:
        return {}
    against = page.votes[0].get(spec.name, {}).get("against") or {}
    kinds = {Kind(kind): one for kind, one in against.items()}
    return said_by_kind(page.values[0].get(spec.name), kinds)


def _ahead(
    spec: FieldSpec, page: QuarantinedPage, before: _Records, value: Value
) -> Kind | None:
    """The kind that says a value of a field (None: what is read), while the other one says
    what was so before."""
    read = next(iter(page.values), {}).get(spec.name)
    now = read if value is None else value
    before_now = [one.get(spec.name) for one in before]
    return kind_ahead(spec, _said(spec, page), now, before_now)


def _is_late(
    spec: FieldSpec, page: QuarantinedPage, before: _Records, kind: Kind
) -> bool:
    """Whether a kind is ahead with a field of a page."""
    return _ahead(spec, page, before, _said(spec, page).get(kind)) is kind
