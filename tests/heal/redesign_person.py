"""The person whom the shop's families ask: sees the page that is shown, knows what is true of it, and answers."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.sandbox import ExtractJob
from crawloop_assets.store import (
    CrawlerStatus,
    CrawlerVersion,
    Question,
    QuestionKind,
    Store,
)
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import as_list
from tests.heal.redesign_site import LivedSite, Rows

WHO = "ada"


@dataclass
class Person:
    """Answers what is asked about the families of a site, unless `is_away`; `said` is what was done."""

    site: LivedSite
    is_away: bool = False
    said: list[str] = field(default_factory=list)

    def decides(self, store: Store, pool: Any, run_id: str) -> bool:
        """One action for what waits for a person; whether anything did."""
        if self.is_away:
            return False
        decisions = Decisions(self.site.family, store, run_id)
        for question in store.questions.waiting(self.site.family.family):
            self.said.append(self._answer(question, decisions, pool))
            return True
        for version in self._to_review(store):
            self.said.append(self._review(version, store, pool))
            return True
        return False

    def _answer(self, question: Question, decisions: Decisions, pool: Any) -> str:
        """Accept fields that are gone, else teach one value of each of the others, all of one record if it has them."""
        shown = self.site.shown_truth()
        asked = f"{question.sentence} -> "
        if question.kind is QuestionKind.REVIEW and not question.fields:
            (version, *_) = self._to_review(decisions.store)
            return asked + self._review(version, decisions.store, pool)
        there = {name for rows in shown.values() for row in rows for name in row}
        if question.fields and not there.intersection(question.fields):
            decisions.accept(WHO)
            return asked + "accepted"
        taught: dict[str, str] = {}
        for lesson in list(self._lessons(question, decisions.store, shown)):
            if lesson.field not in taught:
                try:
                    reason = decisions.teach(lesson, pool).reason
                except ConfigError as error:
                    reason = str(error)
                taught[lesson.field] = f"{lesson.field} {lesson.value}: {reason}"
        return f"{asked}taught {'; '.join(taught.values()) or 'nothing'}"

    def _lessons(
        self, question: Question, store: Store, shown: dict[str, Rows]
    ) -> Iterator[PersonSays]:
        """What may be said of the fields that are asked about: the record with most of them first, of the page that is
        shown if it has one."""
        known = store.known(self.site.family)
        key = self.site.key
        found = []
        for url in sorted(shown, key=lambda each: each != question.url):
            true = {row.get(key): row for row in shown[url]}
            for at, row in enumerate(known.get(url, [])):
                values = true.get(row.get(key), {})
                said = [name for name in question.fields if name in values]
                found.append(
                    [
                        PersonSays(name, WHO, _written(values[name]), url=url, row=at)
                        for name in said
                    ]
                )
        yield from chain.from_iterable(sorted(found, key=len, reverse=True))

    def _to_review(self, store: Store) -> list[CrawlerVersion]:
        """The versions that wait for a person, newest first."""
        versions = store.crawlers(self.site.family.family)
        waiting = CrawlerStatus.AWAITING_REVIEW
        return [one for one in reversed(versions) if one.status is waiting]

    def _review(self, version: CrawlerVersion, store: Store, pool: Any) -> str:
        """Let a version serve that reads nothing but what is true."""
        family = self.site.family
        now = next(url.fetched_at for url in store.frontier(family.family))
        assert now is not None
        read = {
            page.url: pool.run(ExtractJob(program=version.body, page=page))
            for page in self.site.pages(now)
        }
        true = self.site.truth()
        is_true = all(
            self._is_true([row.values for row in one.extraction.records], true[url])
            for url, one in read.items()
        )
        active = store.active(family.family)
        if is_true and active is not None:
            store.promote(
                family.family,
                version.version,
                why=f"{WHO} looked at it",
                expected_active=active.version,
            )
            return f"v{version.version} promoted"
        store.reject(family.family, version.version, f"{WHO}: it reads other values")
        return f"v{version.version} rejected"

    def _is_true(
        self, rows: Sequence[dict[str, Any]], true: Sequence[dict[str, Any]]
    ) -> bool:
        """Whether a version read the records of a page, and nothing that is not true of them."""
        key = self.site.key
        by_key = {row.get(key): row for row in true}
        specs = self.site.family.schema_spec().fields
        return len(rows) == len(true) and all(
            row.get(spec.name) in (None, [])
            or canonical(row[spec.name], spec)
            == canonical(by_key.get(row.get(key), {}).get(spec.name), spec)
            for row in rows
            for spec in specs
        )


def _written(value: Any) -> str:
    """A value as a person writes it: a list an item a line, a record in the record as JSON."""
    return "\n".join(map(_written_item, as_list(value)))


def _written_item(value: Any) -> str:
    return json.dumps(value) if isinstance(value, dict) else str(value)
