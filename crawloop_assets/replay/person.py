"""Somebody who sees the pages after a redesign and answers what is asked, with the verbs
that a person has: `teach` where the page shows a value, `accept` where it shows none,
bears out what is said to be news, or a version waits for review."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from operator import attrgetter, methodcaller

from crawloop_assets.drift.values import is_filled
from crawloop_assets.errors import CrawloopError
from crawloop_assets.eval.gold import Gold
from crawloop_assets.family import Family
from crawloop_assets.heal.candidates import as_shown
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.induce.detail.nowhere import NOWHERE
from crawloop_assets.induce.lesson import ANOTHER_ROW, MORE_OF_IT
from crawloop_assets.induce.settled import THERE_TOO
from crawloop_assets.replay.server import Snapshot
from crawloop_assets.sandbox import default_pool
from crawloop_assets.schema import FieldSpec
from crawloop_assets.store import HeldState, Question, QuestionKind, Store
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value, as_list

_WHO = "somebody who sees the page"
_ROWS = 3  # rows of a page of which something is said
_HELPS = (ANOTHER_ROW, THERE_TOO)


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
        shown = map(attrgetter("field"), question.candidates)
        of_all = dict.fromkeys((*self.family.drift.coverage, *shown))
        asked = question.fields or tuple(of_all)
        said = list(filter(partial(self._is_to_teach, question, gold), asked))
        if not said and question.kind is QuestionKind.NO_RECORD:
            said = list(filter(gold.get, of_all))  # a record that lacks what is asked
        if not said:
            return list(self._accepted(question))
        if question.kind is QuestionKind.NEWS:  # who shows one cannot accept the rest
            said = list(filter(gold.get, asked))
        done = list(self._said_until_enough(question.url, said))
        if question.kind is QuestionKind.GONE and all(map(_is_not_there, done)):
            done += self._accepted(question)
        return done

    def _said_until_enough(self, url: str, names: Sequence[str]) -> Iterator[str]:
        """Says what is asked of the first row of a page, and more of it or of others
        where the answer is that this helps."""
        for row in range(_ROWS):
            gold, answer = self._gold(url, row), ""
            for name in filter(gold.get, names):
                yield (answer := self._taught(url, name, gold, row))
            if MORE_OF_IT in answer:
                rest = list(map(attrgetter("name"), self.family.schema_spec().fields))
                for name in filter(gold.get, (one for one in rest if one not in names)):
                    yield (answer := self._taught(url, name, gold, row))
            if not answer.endswith(_HELPS):
                return

    def _is_to_teach(self, question: Question, gold: Gold, name: str) -> bool:
        """Whether the page shows a field, and not what is said to be news, or what the
        version reads that waits."""
        if not gold.get(name):
            return False
        if question.kind is QuestionKind.NEWS:
            read = map(methodcaller("get", name), self._read(question.url))
            is_news = self._are_shown(question.url, name, filter(is_filled, read))
            return name not in question.gone and not is_news
        if question.kind is QuestionKind.REVIEW:
            tried = (one.value for one in question.candidates if one.field == name)
            return not self._are_shown(question.url, name, tried)
        return True

    def _are_shown(self, url: str, name: str, read: Iterable[Value]) -> bool:
        """Whether all values of a field are on rows of the page, as they are or cut as in
        a question."""
        shots = filter(None, [self.shown.get(url)])
        rows = chain.from_iterable(map(attrgetter("gold"), shots))
        true = list(chain.from_iterable(row.get(name, ()) for row in rows))
        true, spec = [*true, *map(as_shown, true)], self._spec(name)
        return all(any(same(one, value, spec) for value in true) for one in read)

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


def _is_not_there(answer: str) -> bool:
    """Whether what was taught stands on no place of its page that can be read."""
    return NOWHERE in answer
