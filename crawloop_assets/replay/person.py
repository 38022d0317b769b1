"""Somebody who sees the pages after a redesign and answers what is asked, with the verbs
that a person has: `teach` where the page shows a value, `accept` where it shows none,
or a version waits for review."""

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
from crawloop_assets.store import Question, QuestionKind, Store
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
        """Answers the question that waits, if one does."""
        for question in self.store.questions.waiting(self.family.family):
            return self.answer(question)
        return []

    def answer(self, question: Question) -> list[str]:
        """Answers a question; what was done, with what the verbs said to it."""
        gold = self._gold(question.url)
        # Where it is about no field, what the operator wants of every page is said.
        asked = question.fields or tuple(self.family.drift.coverage)
        if question.kind is QuestionKind.REVIEW:
            asked = ()
        said = [name for name in asked if gold.get(name)]
        if not said:
            return list(self._accepted(question))
        return [self._taught(question.url, name, gold) for name in said]

    def _gold(self, url: str) -> Gold:
        """What the first record of a page shows, nothing for none."""
        shots = filter(None, [self.shown.get(url)])
        return next(chain.from_iterable(shot.gold for shot in shots), {})

    def _accepted(self, question: Question) -> Iterator[str]:
        """Accepts what is asked, if it can be."""
        with suppress(CrawloopError):
            self._decisions.accept(_WHO)
            yield f"accept {', '.join(question.fields) or 'the version'}"

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
