"""What is made of the lessons that people gave: a version that reads the taught fields where
they were shown, everything else as ever, proved like any candidate."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, repeat
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple, Self

from crawloop_assets.crawler.extraction import Example, records_by_page
from crawloop_assets.crawler.program import Program
from crawloop_assets.drift.values import is_filled
from crawloop_assets.heal.captures import earlier_captures
from crawloop_assets.heal.decided import as_lesson
from crawloop_assets.heal.regenerate import (
    Regeneration,
    Regenerator,
)
from crawloop_assets.heal.repair import Repair
from crawloop_assets.heal.sample import HealSample, sample_of
from crawloop_assets.heal.sheets import without_named
from crawloop_assets.heal.strangers import strangers_among
from crawloop_assets.heal.teaching import doubt_misread
from crawloop_assets.heal.unmoved import say_unmoved
from crawloop_assets.heal.unread import of_pages, read_pages, reader_of
from crawloop_assets.induce.detail.pointed_places import POINT_AT_ONE
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.induce.taught import (
    Lesson,
    rows_said,
    taught_otherwise,
    untaught,
    with_lessons,
)
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import TeachJob
from crawloop_assets.serve.versions import as_program
from crawloop_assets.serve.visit import page_as, stored_page
from crawloop_assets.store import CrawlerVersion, FrontierUrl, Store, TaughtLesson
from crawloop_assets.store.known import KnownRow
from crawloop_assets.values.equality import same
from crawloop_assets.values.present import present

_DOUBTFUL = attrgetter("wrong"), attrgetter("silent")
"""What speaks against a field in its score."""
_FEWEST_OF_LAYOUT = 3
"""Pages of a layout, for what is taught to be proved on those alone."""
_CANDIDATES = 60  # stored pages that a sample is chosen from


class _Refused(NamedTuple):
    """What stands against a version of some lessons."""

    reason: str
    scores: ScoreSheet


class _Tried(NamedTuple):
    """A version that was made of lessons, and its proof on a sample of which so many pages were `shown` to its maker."""

    candidate: Program
    proof: ScoreSheet
    sample: HealSample
    shown: int


@dataclass(frozen=True)
class Lecture:
    """What is made of lessons: `regenerator` is that of the family, `live` are the versions that
    may serve, the active one first, and the `base` that of them which reads most of the last
    lesson's page; `others` are the last lesson of other captures of its page, of which it may
    have been said as well."""

    regenerator: Regenerator
    live: Sequence[CrawlerVersion]
    base: CrawlerVersion
    others: Sequence[TaughtLesson] = ()

    @classmethod
    def of(
        cls,
        regenerator: Regenerator,
        live: Sequence[CrawlerVersion],
        last: TaughtLesson,
        others: Sequence[TaughtLesson],
    ) -> Self:
        """With the base for a lesson, of whose page something is known."""
        family, store = regenerator.family, regenerator.store
        entry = store.url(family.family, last.url)
        page = page_as(entry, store, last.page_sha256) if entry else None
        rows = tuple(chain.from_iterable(store.known(family, [last.url]).values()))
        known = [Example(page=0, records=rows)] * bool(page)
        shown = HealSample(tuple(present([page])), tuple(known))
        base = reader_of(family, regenerator.pool, shown, live)
        return cls(regenerator, live, base, others)

    @property
    def others_of_base(self) -> list[CrawlerVersion]:
        """All versions that may serve but the base."""
        return [one for one in self.live if one.version != self.base.version]

    def give(
        self, taught: Sequence[TaughtLesson], newest: str
    ) -> tuple[Regeneration, Sequence[TaughtLesson]]:
        """The version with the lessons it was made of, or what stands against it.

        What never was enough must not hold up what is: where all that was taught is
        refused, what was of the `newest` field is given without other such lessons.
        """
        own = [one for one in taught if one.version or one.field == newest]
        refused = []
        for lessons in (taught, own):
            made = self._given(lessons)
            if isinstance(made, Regeneration):
                return made, lessons
            refused.append(made)
            if own == taught:
                break
        return self.regenerator.rejected(*refused[0]), taught

    def _given(self, taught: Sequence[TaughtLesson]) -> Regeneration | _Refused:
        """What comes of some lessons."""
        sample, lessons, made = self._compiled(taught)
        making, _ = sample.split()
        program, shown = as_program(self.base), len(making.pages)
        if made.program is None:
            reason = f"what was taught is not enough: {made.scores.reason}"
            return _Refused(reason, made.scores)
        if against := next(
            filter(None, map(partial(self._open, made.program), self.others)), ""
        ):
            reason = f"what was taught is not enough: {against}"
            return _Refused(reason, made.scores)
        others = untaught(sample.known, lessons)
        known, then = with_lessons(others, lessons), tuple(others)
        if made.anew:
            known, then = rows_said(lessons), ()
        whole = not taught_otherwise(sample.known, lessons) and not made.anew
        proving = replace(sample, known=known, earlier=then, whole=whole)
        # Another field that fails must not undo what was taught: it is mended like a healed one.
        # Nor is the version before a witness against what was said: it may read more.
        names = {one.field for one in taught}
        repair = Repair(
            self.regenerator, proving, shown, program.without(names | made.elsewhere)
        )
        candidate, proof = repair.proved(made.program)
        proof = self._as_ever(_Tried(candidate, proof, proving, shown), names, lessons)
        proof = without_named(proof, made.scores)
        against = _against(proof, taught)
        # What was made of the taught rows alone is held against all that is known.
        earlier = self._of_earlier_pages(sample)
        entire = self.regenerator.prove(candidate, earlier, shown, None)
        if rested := set(self.regenerator.unmoved(entire)) - names:
            against = f"{say_unmoved(rested, entire)}: say it as well, this is kept"
        if against:
            reason = f"what was taught did not pass the gauntlet: {against}"
            return _Refused(reason, proof)
        who = ", ".join(sorted({one.who for one in taught}))
        reason = f"{proof.reason}; {', '.join(sorted(names))} as {who} taught"
        scores = proof.model_copy(update={"reason": reason})
        decided = self.regenerator.decide(candidate, scores, self.live[0])
        misread = set(self._misread(sample, taught, lessons))
        doubt_misread(self.regenerator, self.live[0], decided, misread)
        return decided

    def _compiled(
        self, taught: Sequence[TaughtLesson]
    ) -> tuple[HealSample, list[Lesson], HealedProgram]:
        """The pages of some lessons and others, the lessons by their pages, and what is
        made of them."""
        sample, positions = self._sample(taught)
        lessons = [as_lesson(one, positions[one.url]) for one in taught]
        making, _ = sample.split()
        family, store = self.regenerator.family, self.regenerator.store
        captures = tuple(earlier_captures(store, family.family, making.pages))
        made = self.regenerator.pool.run(
            TeachJob(
                schema=family.schema_spec(),
                program=as_program(self.base),
                pages=making.pages + captures,
                captures=len(captures),
                known=making.known,
                lessons=tuple(one for one in lessons if one.page < len(making.pages)),
                older=tuple(map(as_program, self.others_of_base)),
            )
        )
        return sample, lessons, made

    def _open(self, program: Program, other: TaughtLesson) -> str:
        """Why nobody can tell which place a lesson means, "" if it is told: on another capture
        of its page what was said stands in several places, or in another one. It may have been
        said of that."""
        _, _, made = self._compiled([other])
        if made.program is None:
            reason = made.scores.reason
            return f"{other.field}: {reason}" if POINT_AT_ONE in reason else ""
        places = (_places(one, other.field) for one in (program, made.program))
        if set.isdisjoint(*places):
            return f"{other.field}: on a later or an earlier page it stands elsewhere, {POINT_AT_ONE}"
        return ""

    def _of_earlier_pages(self, sample: HealSample) -> HealSample:
        """The sample without known values that were read from its very pages: those have
        not moved since, and nobody reads yesterday's there."""
        urls = list(map(attrgetter("url"), sample.pages))
        rows = self.regenerator.store.known(self.regenerator.family, urls)
        left = partial(_without_read, sample.pages, rows)
        return replace(sample, known=tuple(map(left, sample.known)))

    def _as_ever(
        self, tried: "_Tried", taught: Set[str], lessons: Sequence[Lesson]
    ) -> ScoreSheet:
        """The proof; where it fails for fields that a person taught before, and which are read as was taught then, or
        for taught ones that may be others every day, the proof without what is known of those: it was published before
        anybody spoke, and moves on while the family is red. A person who has taught one field would be refused every
        other one, and one row that is as it was says of no other that it is."""
        active = as_program(self.base)
        same = set(_unchanged(tried.candidate, active)) & self._once_taught() - taught
        schema = self.regenerator.family.schema_spec()
        moving = map(attrgetter("name"), filter(attrgetter("volatile"), schema.fields))
        same |= taught & set(moving)
        fields = tried.proof.fields
        doubtful = chain.from_iterable(map(filter, _DOUBTFUL, repeat(fields)))
        off = set(map(attrgetter("field"), doubtful))
        if tried.proof.passed or not off & same:
            return tried.proof
        left = partial(_without, names=off & same)
        known, earlier = tried.sample.known, tried.sample.earlier or ()
        sample = replace(
            tried.sample,
            known=with_lessons(tuple(map(left, known)), lessons),
            earlier=tuple(map(left, earlier)),
            whole=False,
        )
        before = active.without(off & same | taught)
        again = self.regenerator.prove(tried.candidate, sample, tried.shown, before)
        return again if again.passed else tried.proof

    def _once_taught(self) -> set[str]:
        """The fields of which lessons were read by the version that was made of them."""
        lessons = self.regenerator.store.questions.lessons(
            self.regenerator.family.family
        )
        return set(map(attrgetter("field"), filter(attrgetter("version"), lessons)))

    def _misread(
        self,
        sample: HealSample,
        taught: Sequence[TaughtLesson],
        lessons: Sequence[Lesson],
    ) -> Iterator[str]:
        """The taught fields of which something else is published of the same page."""
        family, store = self.regenerator.family, self.regenerator.store
        schema = family.schema_spec()
        rows = records_by_page(sample.known)
        for said, lesson in zip(taught, lessons, strict=True):
            entry, spec = store.url(family.family, said.url), schema.field(said.field)
            known = _known_value(rows.get(lesson.page, ()), lesson.row, spec.name)
            is_published = entry is not None and entry.verdict is Verdict.OK
            if is_published and not all(same(one, said.value, spec) for one in known):
                yield spec.name

    def _sample(
        self, taught: Sequence[TaughtLesson]
    ) -> tuple[HealSample, dict[str, int]]:
        """The taught pages first, as they were shown, then others of their kind, with
        what is known of them; and where each page is."""
        family, store = self.regenerator.family, self.regenerator.store
        shown = {one.url: one.page_sha256 for one in taught}
        own, others = _alike(store.frontier(family.family), shown)
        known = store.known(family, [url.url for url in (*own, *others)])
        rest = sample_of(_stored(others[:_CANDIDATES], store), known)
        as_shown = (page_as(url, store, shown[url.url]) for url in own)
        pages = (*filter(None, as_shown), *rest.pages)
        positions = {page.url: at for at, page in enumerate(pages)}
        examples = [
            Example(page=positions[url], records=tuple(rows))
            for url, rows in known.items()
            if url in positions
        ]
        strangers = strangers_among(family, store, list(positions))
        sample = HealSample(pages, tuple(examples), strangers=strangers)
        return self._of_its_layout(sample, frozenset(shown))

    def _of_its_layout(
        self, sample: HealSample, shown: Set[str]
    ) -> tuple[HealSample, dict[str, int]]:
        """The sample without pages that were not shown, and that another version reads as
        they are known while the base does not, where enough others are left; and where each
        page is. A site may show two layouts at once: what is taught of one is read of no page
        of the other."""
        family, pool = self.regenerator.family, self.regenerator.pool
        of_base, of_others = (
            read_pages(family, pool, sample, versions)
            for versions in ([self.base], self.others_of_base)
        )
        foreign = of_others - of_base - shown
        left = [page.url for page in sample.pages if page.url not in foreign]
        if len(left) >= _FEWEST_OF_LAYOUT:
            sample = of_pages(sample, left)
        return sample, {page.url: at for at, page in enumerate(sample.pages)}


def _places(program: Program, name: str) -> set[tuple[str, str]]:
    """Where a program looks for a field."""
    field = program.field(name)
    readers = field.all_readers if field else ()
    return set(map(attrgetter("src", "at"), readers))


def _against(proof: ScoreSheet, taught: Sequence[TaughtLesson]) -> str:
    """What stands against a version, "" if nothing does: its proof, or fields that it does
    not read as they were taught."""
    if not proof.passed:
        return proof.reason
    names = {one.field for one in taught if one.value is not None}
    scores = [one for one in proof.fields if one.field in names]
    unread = [one for one in scores if one.wrong or not one.right]
    return "; ".join(map("{0.field} is not read as taught: {0.reason}".format, unread))


def _unchanged(candidate: Program, active: Program) -> Iterator[str]:
    """The fields that a version reads as the active one does, of the same rows."""
    before = {field.spec.name: field.all_readers for field in active.fields}
    for field in candidate.fields if candidate.record == active.record else ():
        if before.get(field.spec.name) == field.all_readers:
            yield field.spec.name


def _without_read(
    pages: Sequence[Page], rows: Mapping[str, Sequence[KnownRow]], example: Example
) -> Example:
    """What is known of a page, but for what was read from the page as it is."""
    page = pages[example.page]
    fields = map(methodcaller("read_from", page.sha256), rows.get(page.url, ()))
    return _without(example, frozenset(chain.from_iterable(fields)))


def _without(example: Example, names: Set[str]) -> Example:
    """What is known of a page, but for some fields."""
    rows = (
        {name: value for name, value in row.items() if name not in names}
        for row in example.records
    )
    return example.model_copy(update={"records": tuple(rows)})


def _known_value(
    records: Sequence[Mapping[str, Any]], row: int, name: str
) -> list[Any]:
    """What is known of a field of one of some records; nothing if it is not."""
    return list(filter(is_filled, (one.get(name) for one in records[row : row + 1])))


def _alike(
    urls: Sequence[FrontierUrl], shown: Mapping[str, str]
) -> tuple[list[FrontierUrl], list[FrontierUrl]]:
    """The urls of the pages that were shown, and the others that were read like them:
    those that drifted, if one of the shown did. A page that has another one in its place
    by now was shown because it had drifted."""
    by_url = {url.url: url for url in urls}
    own = list(map(by_url.__getitem__, sorted(by_url.keys() & shown.keys())))
    others = list(map(by_url.__getitem__, sorted(by_url.keys() - shown.keys())))
    moved = {url.page_sha256 for url in own}.difference(shown.values())
    has_drifted = bool(moved) or Verdict.DRIFT in map(attrgetter("verdict"), own)
    verdict = Verdict.DRIFT if has_drifted else Verdict.OK
    return own, [url for url in others if url.verdict is verdict]


def _stored(urls: Iterable[FrontierUrl], store: Store) -> list[Page]:
    """The last pages of urls, of those that have one."""
    return list(filter(None, map(stored_page, urls, repeat(store))))
