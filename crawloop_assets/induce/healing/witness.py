"""What speaks for a field on all changed pages: its old readers, its last known value,
structured data, likeness, and what became of the field in other families of the
site."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import filterfalse
from operator import attrgetter, methodcaller

from crawloop_assets.crawler.program import MOST_READERS, FieldProgram, Reader
from crawloop_assets.induce.detail.by_signs import signs_again
from crawloop_assets.induce.detail.choices import mapped_choices
from crawloop_assets.induce.detail.named import PageNames
from crawloop_assets.induce.detail.recurrence import (
    in_sentences,
    placed_readers,
    recurring,
)
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    induce,
    pages_with_value,
)
from crawloop_assets.induce.detail.words_again import words_again
from crawloop_assets.induce.healing.going_on import gone_on
from crawloop_assets.induce.healing.nearby import as_moved
from crawloop_assets.induce.healing.page_witness import PageWitnesses
from crawloop_assets.induce.healing.rounding import rounded
from crawloop_assets.induce.healing.said_once import said_once
from crawloop_assets.induce.healing.scaled import as_scaled, scaled_numbers
from crawloop_assets.induce.healing.served import delivered_now
from crawloop_assets.induce.healing.shifting import keeps_to_its_line
from crawloop_assets.induce.healing.soundness import is_sound
from crawloop_assets.induce.healing.statements import Statements
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.fit import low_entropy
from crawloop_assets.induce.locate.nearness import count_near, may_move
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.proof.right import is_right
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.present import present
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value


@dataclass(frozen=True)
class Witnesses:
    """One field on the changed pages.

    `values` are the last known ones, page by page (None where there is none),
    `siblings` the readers that healed families of the same site speak for, `recorded` the
    pages of which a record is known: a field that it lacks was absent. `taken` are by
    page the values that are other fields'. `is_kept_in_another`: the last known value was
    another field's as well, and that still has it. `is_shared`: on some page another field
    of the kind has the same known value.
    """

    spec: FieldSpec
    old: FieldProgram
    names: tuple[PageNames, ...]
    values: tuple[Value | None, ...]
    main: tuple[str, ...]
    siblings: tuple[CandidateReader, ...] = ()
    recorded: frozenset[int] = frozenset()
    taken: Mapping[int, tuple[Value, ...]] = field(default_factory=dict)
    is_kept_in_another: bool = False
    is_shared: bool = False

    @cached_property
    def statements(self) -> Statements:
        """What the structured data of all pages states."""
        indexes = tuple(map(attrgetter("index"), self.names))
        return Statements(self.spec, indexes, self.main)

    @property
    def is_vouched(self) -> bool:
        """False if records are known and none has the field: what its old readers give
        now is new to them.

        What is volatile comes and goes, and a picture is stated in several sizes.
        """
        is_free = self.spec.volatile or self.spec.kind is FieldKind.URL
        if is_free or not self.recorded:
            return True
        return any(value is not None for value in self.values)

    @cached_property
    def pages(self) -> list[PageWitnesses]:
        """The witnesses of each page."""
        candidates = self.siblings[:MOST_READERS]
        readers = tuple(map(attrgetter("reader"), candidates))
        siblings = FieldProgram(spec=self.spec, readers=readers)
        parts = self.statements, siblings
        pairs = enumerate(zip(self.names, self.values, strict=True))
        return [
            PageWitnesses(
                self.spec,
                self.old,
                *pair,
                *parts,
                self.taken.get(at, ()),
                self.is_vouched,
            )
            for at, pair in pairs
        ]

    def confirmed(self) -> int:
        """On how many pages the old readers still give the last known value."""
        return sum(map(attrgetter("is_confirmed"), self.pages))

    def is_speaking(self) -> bool:
        """True if the old readers give a value on every page, with enough agreement."""
        return all(map(attrgetter("is_spoken"), self.pages))

    def is_settled(self) -> bool:
        """True if the old readers need no help: on every page two or more of them
        speak, as one."""
        return all(map(attrgetter("is_settled"), self.pages))

    def is_contradicted(self) -> bool:
        """True if the witnesses agree on something else than the old readers give."""
        return any(map(attrgetter("is_contradicted"), self.pages))

    def is_known_stated(self) -> bool:
        """True if structured data gives a last known value."""
        return any(map(attrgetter("is_known_stated"), self.pages))

    def is_known_elsewhere(self) -> bool:
        """True if a last known value that is no mere number is still on a page on
        which another one is read: the value may not have changed at all, but what these
        readers lead to."""
        return any(map(attrgetter("is_known_elsewhere"), self.pages))

    def is_by_chance(self) -> bool:
        """True if all that the old readers say is one element that nothing names, while
        the known value is a text that is not there by chance."""
        if _are_risky(self.values, self.spec) or self.spec.volatile:
            return False
        share, living = words_of(self.spec).share, self.living()
        if any(share(tokens(reader.at)) for reader in living):
            return False
        return (
            len({page.start_of(one) for one in living for page in self.pages[:1]}) == 1
        )

    def is_far_off(self) -> bool:
        """True for a number that may change every day of which the old readers say none
        that is near the known one, on so many pages that a place of near ones is no
        chance."""
        known = [one for one in self.pages if one.known is not None]
        if not may_move(self.spec) or len(known) < tuned("nearby.fewest_pages"):
            return False
        before = list(map(attrgetter("known"), known))
        now = list(map(attrgetter("value"), known))
        return not count_near(self.spec, before, now)

    def is_drifted(self) -> bool:
        """True if what is read now resembles a known value without being it, and no
        page shows that value itself.

        News is different altogether. The same picture in another size, or a title with
        a word more, says that the page states the field in several ways and that these
        readers may have changed from one to another.
        """
        if any(page.is_known_agreed for page in self.pages):
            return False
        return any(page.resembles_known for page in self.pages)

    def most_like(self) -> Reader | None:
        """The statement that is most like the last known values, of several addresses
        that the pages state."""
        return self.statements.most_like(self.known(self.values))

    def dead(self) -> tuple[Reader, ...]:
        """The old readers that give nothing on any page."""
        return tuple(filterfalse(self._is_filled, self.old.readers))

    def _is_filled(self, reader: Reader) -> bool:
        """Whether a reader gives something on some page."""
        return any(page.fills(reader) for page in self.pages)

    def living(self) -> tuple[Reader, ...]:
        """The old readers that still give something on at least half of the pages; of
        an optional field, of those that are known to have it, if any are, or still show
        what is known: what comes and goes may be gone from the others."""
        known = [page for page in self.pages if page.known is not None]
        sets = [self.pages if self.spec.required else known or self.pages]
        if self.spec.volatile:
            sets.append([page for page in known if _stands(page, self.spec)])
        return tuple(filter(partial(_is_half_filled, sets), self.old.readers))

    def aligned(self) -> list[Tried]:
        """Readers of the last known values, best first; empty if those are no longer
        where the field may be."""
        return self._induced(self.values)

    def said_once(self, *, proved: bool) -> list[Tried]:
        """Readers of a known duration that the pages say once, and no other field of
        their records had; `proved` where an old reader still gives it."""
        if self.is_shared:
            return []
        return said_once(self.known(self.values), self.spec, proved=proved)

    def served(self) -> list[Tried]:
        """Readers of the known pictures where another host delivers them now."""
        return delivered_now(self.known(self.values), self.spec)

    def taught(self) -> list[Tried]:
        """Readers of values the witnesses agree on."""
        return self._induced(self.agreed)

    @cached_property
    def agreed(self) -> list[Value | None]:
        """What the witnesses agree on, page by page; lists as far as they go on."""
        guesses = list(map(attrgetter("agreed"), self.pages))
        values = list(map(attrgetter("agreed_value"), self.pages))
        are_sure = [guess is not None and guess.sure for guess in guesses]
        return gone_on(self.known(values), self.spec, are_sure)

    def _induced(self, values: Sequence[Value | None]) -> list[Tried]:
        """Readers of a value per page (None where there is none), those left out that
        give them by chance; before them the place in which more of the values stand,
        which nothing names."""
        every = self.known(values)
        known = _without_moved(every, self.spec)
        if not pages_with_value(known):
            known = self._as_moved(every)
        known_on = len(pages_with_value(known))
        if not known_on:
            return []
        general = [*self.statements.best, *self.siblings]
        risky = _are_risky(values, self.spec)
        can_be = partial(is_sound, spec=self.spec, known=known, risky=risky)
        sound = filter(can_be, induce(known, self.spec, general))
        kept = self._kept_to_their_lines(sound, known)
        most = max(map(attrgetter("right"), kept), default=0)
        if most == known_on:
            return in_sentences(kept, known, self.spec)
        placed = self._kept_to_their_lines(self._placed(known), known)
        better = [one for one in placed if one.right > most]
        return in_sentences([*better, *kept], known, self.spec)

    def _kept_to_their_lines(
        self, tried: Iterable[Tried], known: Sequence[KnownValue]
    ) -> list[Tried]:
        """Those that lead into no other line where pages lack one."""
        keeps = partial(keeps_to_its_line, known=known, spec=self.spec)
        return [one for one in tried if keeps(one.candidate.reader)]

    def _placed(self, known: Sequence[KnownValue]) -> list[Tried]:
        """Readers of a place that nothing names, in which known values stand on page
        after page."""
        again = recurring(known, self.spec)
        old = self.old.readers
        again += mapped_choices(known, self.spec, old) or words_again(
            known, self.spec, old
        )
        again += scaled_numbers(known, self.spec, old)
        again += signs_again(known, old)
        return placed_readers(known, self.spec, again)

    def _as_moved(self, known: Sequence[KnownValue]) -> list[KnownValue]:
        """The pages with what a number that has moved is on them now, in its unit or in
        another one; none if both are there, and differ: one of them is not the field."""
        moved = as_moved(known, self.spec)
        scaled = as_scaled(known, self.spec, self.old.readers)
        are_same = [one.value for one in moved] == [one.value for one in scaled]
        return [] if moved and scaled and not are_same else moved or scaled

    def known_or_agreed(self) -> list[KnownValue]:
        """The last known values; where there is none, what the witnesses agree on."""
        known = []
        for page, agreed in zip(self.pages, self.agreed, strict=True):
            value = agreed if page.known is None else page.known
            known.append(KnownValue(page.index, value))
        return known

    def known(self, values: Sequence[Value | None]) -> list[KnownValue]:
        """The pages with a value each, as an inducer takes them; what no record ever had
        none is known to lack."""
        has_it = any(value is not None for value in self.values)
        lacking = self.recorded if has_it else frozenset()
        pairs = enumerate(zip(self.statements.indexes, values, strict=True))
        return [
            KnownValue(index, value, value is not None or at in lacking)
            for at, (index, value) in pairs
        ]

    def agree_somewhere(self, reader: Reader, other: Reader) -> bool:
        """True if two readers give the same on some page."""
        return any(
            is_right(page.value_of(reader), page.value_of(other), self.spec)
            for page in self.pages
        )

    def speaks_where(self, reader: Reader, others: Sequence[Reader]) -> bool:
        """True if a reader gives something on every page on which another one does."""
        return all(
            page.fills(reader) for page in self.pages if any(map(page.fills, others))
        )

    def is_ever_wrong(self, reader: Reader) -> bool:
        """True if a reader gives another value on some page than is known of that."""
        return any(page.is_belied(reader) for page in self.pages)

    def rounded(self, reader: Reader) -> Reader:
        """The reader, rounding as the known values were."""
        return rounded(reader, self.spec, self.values)


def _without_moved(known: Sequence[KnownValue], spec: FieldSpec) -> list[KnownValue]:
    """The pages; where a volatile value has moved, so that it stands nowhere, nothing is
    known. A choice may stand there in other words."""
    if not spec.volatile or is_choice(spec):
        return list(known)
    return [
        page
        if page.value is None or occurs_on(page.index, page.value, spec)
        else KnownValue(page.index, None, has_record=False)
        for page in known
    ]


def _is_half_filled(sets: Iterable[Sequence[PageWitnesses]], reader: Reader) -> bool:
    """Whether a reader gives something on half of the pages of one of some sets or more."""
    filled = (list(map(methodcaller("fills", reader), pages)) for pages in sets)
    return any(2 * sum(one) >= len(one) > 0 for one in filled)


def _stands(page: PageWitnesses, spec: FieldSpec) -> bool:
    """Whether the known value of a page is there."""
    return occurs_on(page.index, page.known, spec)


def _are_risky(values: Sequence[Value | None], spec: FieldSpec) -> bool:
    """True for values that pages show by chance: small numbers, a single tag."""
    return all(map(partial(_is_risky, spec=spec), present(values)))


def _is_risky(value: Value, spec: FieldSpec) -> bool:
    """Whether pages show a value by chance."""
    if isinstance(value, list) and spec.shape is Shape.SET:
        return len(value) == 1
    return low_entropy(value, spec) and len(letters(str(value))) < tuned(
        "witness.no_chance"
    )
