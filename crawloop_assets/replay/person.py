"""Somebody who sees the pages after a redesign and answers what is asked, with the verbs
that a person has: `teach` where the page shows a value, `accept` where it shows none,
and the word that a version which waits for review may serve."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from crawloop_assets.errors import CrawloopError
from crawloop_assets.eval.gold import Gold
from crawloop_assets.family import Family
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.replay.server import Snapshot
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import CrawlerStatus, Question, Store
from crawloop_assets.values.value import as_list

_WHO = "somebody who sees the page"


@dataclass(frozen=True)
class Onlooker:
    """What is `shown` by the pages of a family after a redesign, in the words of a
    person."""

    family: Family
    shown: Mapping[str, Snapshot]
    store: Store

    def decide(self) -> list[str]:
        """Decides what waits for a person: the question, else a version in review."""
        name = self.family.family
        for question in self.store.questions.waiting(name):
            return self.answer(question)
        serving = {version.status: version for version in self.store.crawlers(name)}
        waiting = serving.get(CrawlerStatus.AWAITING_REVIEW)
        if waiting is None:
            return []
        self.store.rollback(name, waiting.version, who=_WHO)
        return [f"promote v{waiting.version}"]

    def answer(self, question: Question) -> list[str]:
        """Answers a question; what was done, with what the verbs said to it."""
        gold = self._gold(question.url)
        # Where it is about no field, what the operator wants of every page is said.
        asked = question.fields or tuple(self.family.drift.coverage)
        said = [name for name in asked if gold.get(name)]
        if not said:
            return list(self._accepted(question))
        return [self._taught(question.url, name, gold) for name in said]

    def _gold(self, url: str) -> Gold:
        """What the first record of a page shows, nothing for none."""
        shots = filter(None, [self.shown.get(url)])
        return next(chain.from_iterable(shot.gold for shot in shots), {})

    def _accepted(self, question: Question) -> Iterator[str]:
        """Takes the fields as gone, if the question is about any."""
        said = f"accept {', '.join(question.fields)}"
        with suppress(CrawloopError):
            self._decisions.accept(_WHO)
            yield said

    def _taught(self, url: str, name: str, gold: Gold) -> str:
        """Says one value of the page that is shown."""
        shown = "\n".join(map(str, as_list(gold[name][0])))
        said = PersonSays(name, _WHO, shown, url=url)
        try:
            made = self._decisions.teach(said, default_pool())
        except CrawloopError as error:
            return f"teach {name}: {error}"
        return f"teach {name}: {made.outcome.value}, {made.reason}"

    @property
    def _decisions(self) -> Decisions:
        """The verbs."""
        return Decisions(self.family, self.store)
