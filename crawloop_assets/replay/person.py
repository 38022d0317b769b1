"""Somebody who sees the pages after a redesign and answers what is asked, with the verbs
that a person has: `teach` where the page shows a value, `accept` where it shows none,
bears out what is said to be news, or a version waits for review."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, product
from operator import attrgetter, methodcaller

from crawloop_assets.errors import CrawloopError
from crawloop_assets.eval.gold import Gold
from crawloop_assets.family import Family
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.induce.lesson import ANOTHER_ROW
from crawloop_assets.replay.server import Snapshot
from crawloop_assets.sandbox import default_pool
from crawloop_assets.schema import FieldSpec
from crawloop_assets.store import HeldState, Question, QuestionKind, Store
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value, as_list

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
        said = list(filter(partial(self._is_to_teach, question, gold), asked))
        if not said:
            return list(self._accepted(question))
        if question.kind is QuestionKind.NEWS:  # who shows one cannot accept the rest
            said = list(filter(gold.get, asked))
        done = [self._taught(question.url, name, gold) for name in said]
        if done[-1].endswith(ANOTHER_ROW):
            gold = self._gold(question.url, row=1)
            names = filter(gold.get, said)
            done += [self._taught(question.url, name, gold, row=1) for name in names]
        return done

    def _is_to_teach(self, question: Question, gold: Gold, name: str) -> bool:
        """Whether the page shows a field, and the question is not of a version, nor of
        news that the page bears out."""
        if question.kind is QuestionKind.REVIEW or not gold.get(name):
            return False
        if question.kind is not QuestionKind.NEWS:
            return True
        read = map(methodcaller("get", name), self._read(question.url))
        pairs = product(read, gold[name])
        is_read = any(same(*pair, self._spec(name)) for pair in pairs)
        return name not in question.gone and not is_read

    def _read(self, url: str) -> list[Mapping[str, Value]]:
        """What the records of a page in quarantine say."""
        held = self.store.quarantine(self.family.family, HeldState.HELD)
        rows = chain.from_iterable(one.values for one in held if one.url == url)
        return list(rows)

    def _spec(self, name: str) -> FieldSpec:
        """A field of the family."""
        return {spec.name: spec for spec in self.family.schema_spec().fields}[name]

    def _gold(self, url: str, row: int = 0) -> Gold:
        """What one record of a page shows, nothing for none."""
        shots = filter(None, [self.shown.get(url)])
        records = chain.from_iterable(map(attrgetter("gold"), shots))
        return next(islice(records, row, None), {})

    def _accepted(self, question: Question) -> Iterator[str]:
        """Accepts what is asked, if it can be."""
        with suppress(CrawloopError):
            self._decisions.accept(_WHO)
            yield f"accept {', '.join(question.fields) or 'the version'}"

    def _taught(self, url: str, name: str, gold: Gold, row: int = 0) -> str:
        """Says one value of a row of the page that is shown."""
        shown = "\n".join(map(str, as_list(gold[name][0])))
        said = PersonSays(name, _WHO, shown, url=url, row=row)
        try:
            made = self._decisions.teach(said, default_pool())
        except CrawloopError as error:
            return f"teach {name}: {error}"
        return f"teach {name}: {made.outcome.value}, {made.reason}"

    @property
    def _decisions(self) -> Decisions:
        """The verbs."""
        return Decisions(self.family, self.store)
