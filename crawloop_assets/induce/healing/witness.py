"""What speaks for a field on changed pages: its old readers, its last known value,
structured data, likeness, and what became of the field in other families of the
site."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.ensemble import MOST_READERS
from crawloop_assets.induce.detail.named import NamedValue, PageNames
from crawloop_assets.induce.detail.structured import structured_candidates
from crawloop_assets.induce.detail.trials import KnownValue, Tried, induce
from crawloop_assets.induce.healing.relocate import relocate
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.fit import low_entropy
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.similarity import resembles
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

AGREED = 0.5
GATE = 0.8
_LIKE, _MARGIN = 0.7, 0.08
_RISKY = 0.5


@dataclass(frozen=True)
class Witnesses:
    """One field on the changed pages.

    `values` are the last known ones, page by page (None where there is none),
    `siblings` the readers that healed families of the same site speak for.
    """

    spec: FieldSpec
    old: FieldProgram
    names: tuple[PageNames, ...]
    values: tuple[Value | None, ...]
    main: tuple[str, ...]
    siblings: tuple[CandidateReader, ...] = ()

    @cached_property
    def indexes(self) -> tuple[Index, ...]:
        """The pages."""
        return tuple(names.index for names in self.names)

    @cached_property
    def votes(self) -> list[tuple[Value, FieldVote]]:
        """What the old readers say, page by page."""
        return [vote_on(self.old, Scope(index.document)) for index in self.indexes]

    @property
    def named(self) -> list[CandidateReader]:
        """The best readers of structured data."""
        return self.statements[:4]

    @cached_property
    def statements(self) -> list[CandidateReader]:
        """All readers of structured data, best first."""
        found: dict[tuple[str, ...], CandidateReader] = {}
        for index in self.indexes:
            for candidate in structured_candidates(
                index.document, self.spec, self.main
            ):
                found.setdefault(candidate.key, candidate)
        return sorted(
            found.values(), key=lambda each: (-round(each.prior, 6), each.key)
        )

    def most_like(self) -> Reader | None:
        """The statement that is most like the last known values where the old readers
        read something else there: pages state a picture in several sizes, and which of
        them was meant shows in how the known address is made."""
        if (
            self.spec.kind is not FieldKind.URL
            or self.spec.shape is not Shape.ONE
            or len(self.statements) < 2
        ):
            return None
        shares = [
            (self._likeness(each.reader), each.reader) for each in self.statements
        ]
        best = max(share for share, _ in shares)
        return (
            next(reader for share, reader in shares if share == best)
            if best > 0
            else None
        )

    def _likeness(self, reader: Reader) -> float:
        pairs = [
            (str(known), str(read(reader, Scope(index.document), self.spec) or ""))
            for index, known in zip(self.indexes, self.values, strict=True)
            if known is not None
        ]
        shares = [
            SequenceMatcher(None, known, value, autojunk=False).ratio()
            for known, value in pairs
        ]
        return round(sum(shares) / len(shares), 4) if shares else 0.0

    @cached_property
    def said(self) -> list[Value | None]:
        """What structured data says, page by page."""
        return [self._first_said(index) for index in self.indexes]

    def _first_said(self, index: Index) -> Value | None:
        for candidate in self.named[:2]:
            value = read(candidate.reader, Scope(index.document), self.spec)
            if value is not None:
                return value
        return None

    def rounded(self, reader: Reader) -> Reader:
        """The reader, rounding as the known values were: on another page it may give
        the result of a division."""
        if (
            self.spec.kind is not FieldKind.NUMBER
            or self.spec.shape is not Shape.ONE
            or reader.pipe
        ):
            return reader
        known = [_decimals(value) for value in self.values if value is not None]
        if not known or reader.src is not Source.JSON:
            return reader
        places = max([*known, _CENTS])
        return reader.model_copy(update={"pipe": (Step(op=Op.ROUND, args=(places,)),)})

    def confirmed(self) -> int:
        """On how many pages the old readers still give the last known value."""
        return sum(
            value is not None and known is not None and same(value, known, self.spec)
            for (value, _), known in zip(self.votes, self.values, strict=True)
        )

    def speaking(self) -> bool:
        """True if the old readers give a value on every page, with enough agreement."""
        return all(
            value is not None and vote.agreement >= AGREED for value, vote in self.votes
        )

    def drifted(self) -> bool:
        """True if what is read now resembles a known value without being it, and no
        page shows that value itself.

        News is different altogether. The same picture in another size, or a title with
        a word more, says that the page states the field in several ways and that these
        readers may have changed from one to another.
        """
        pairs = [
            (guess.value, known)
            for guess, known in zip(self.agreed, self.values, strict=True)
            if guess
        ]
        if any(
            known is not None and same(value, known, self.spec)
            for value, known in pairs
        ):
            return False
        return any(
            known is not None and resembles(value, known, self.spec)
            for value, known in pairs
        )

    def elsewhere(self) -> bool:
        """True if a last known value that is no mere number still stands on a page on
        which another one is read: the value may not have changed at all, but what these
        readers lead to."""
        return any(
            known is not None
            and not low_entropy(known, self.spec)
            and not same(value, known, self.spec)
            and occurs_on(index, known, self.spec)
            for index, (value, _), known in zip(
                self.indexes, self.votes, self.values, strict=True
            )
        )

    def settled(self) -> bool:
        """True if the old readers need no help: on every page two or more of them
        speak, as one."""
        return all(
            vote.agreement >= GATE and vote.live_readers > 1 for _, vote in self.votes
        )

    def dead(self) -> tuple[Reader, ...]:
        """The old readers that say nothing on any page."""
        return tuple(
            reader
            for reader in self.old.readers
            if all(
                read(reader, Scope(index.document), self.spec) is None
                for index in self.indexes
            )
        )

    def living(self) -> tuple[Reader, ...]:
        """The old readers that still say something on at least half of the pages."""
        return tuple(
            reader
            for reader in self.old.readers
            if 2
            * sum(
                read(reader, Scope(index.document), self.spec) is not None
                for index in self.indexes
            )
            >= len(self.indexes)
        )

    def aligned(self) -> list[Tried]:
        """Readers of the last known values, best first; empty if those no longer stand
        where the field may be."""
        return self._read(self.values)

    def taught(self) -> list[Tried]:
        """Readers of values the witnesses agree on."""
        return self._read([guess and guess.value for guess in self.agreed])

    def _read(self, values: Sequence[Value | None]) -> list[Tried]:
        known = [
            KnownValue(index, value)
            for index, value in zip(self.indexes, values, strict=True)
        ]
        if all(each.value is None for each in known):
            return []
        risky = all(
            each.value is None or low_entropy(each.value, self.spec) for each in known
        )
        general = [*self.named, *self.siblings]
        return [
            each
            for each in induce(known, self.spec, general)
            if _is_sound(each, self.spec, risky)
        ]

    @cached_property
    def agreed(self) -> list[NamedValue | None]:
        """Page by page the value the witnesses agree on, and whether it is more than a
        guess: structured data that names the field speaks for itself."""
        return [self._agreed(at) for at in range(len(self.indexes))]

    def _agreed(self, at: int) -> NamedValue | None:
        """Structured data and likeness, or a sibling, together outweigh the old
        readers; without those, structured data speaks for itself, then what two kinds
        of names agree on, then what a sibling's readers say, then a likeness without
        rival, then what one name says.

        The last three are sure where one more of them says the same.
        """
        value, vote = self.votes[at]
        said = self.said[at]
        if value is not None and vote.agreement >= AGREED:
            if said is None or same(said, value, self.spec):
                return NamedValue(value, sure=True)
            backed = any(
                same(said, other, self.spec)
                for other in (self._like(at), self._told(at))
            )
            return NamedValue(said if backed else value, sure=True)
        if said is not None:
            return NamedValue(said, sure=True)
        named = self.names[at].guess(self.spec)
        if named is not None and named.sure:
            return named
        told, like = self._told(at), self._like(at)
        claims = [
            claim for claim in (told, like, named and named.value) if claim is not None
        ]
        if not claims:
            return None
        return NamedValue(
            claims[0],
            sure=any(same(claims[0], other, self.spec) for other in claims[1:]),
        )

    def _told(self, at: int) -> Value | None:
        """What the readers of siblings agree on."""
        readers = tuple(each.reader for each in self.siblings[:MOST_READERS])
        value, vote = vote_on(
            FieldProgram(spec=self.spec, readers=readers),
            Scope(self.indexes[at].document),
        )
        return value if vote.agreement >= GATE else None

    def _like(self, at: int) -> Value | None:
        """What looks like the field did and has no rival."""
        found = relocate(self.indexes[at], self.old, self.spec)
        return (
            found.value
            if found is not None and found.score >= _LIKE and found.margin >= _MARGIN
            else None
        )


def _decimals(value: Value | None) -> int:
    return len(str(value).partition(".")[2]) if value is not None else 0


_CENTS = 2


def _is_sound(tried: Tried, spec: FieldSpec, risky: bool) -> bool:
    """Not a chance hit: something names the field, or the reader is one that tends to
    last."""
    reader, named = tried.candidate.reader, tried.candidate.named
    if any(
        step.op is Op.STRIP_SUFFIX and str(step.args[0]).strip()[:1].isalnum()
        for step in reader.pipe
    ):
        return False  # the value has become longer: what follows it is no label
    if risky and (
        reader.kin is Kin.PATH or named <= _RISKY or not _is_label(reader, spec)
    ):
        return False
    return named > 0 or tried.candidate.prior >= 0.45


def _is_label(reader: Reader, spec: FieldSpec) -> bool:
    """False for a label that has little of the field in it: "Make the batter" is not
    what a recipe makes."""
    words = words_of(spec)
    return reader.src is not Source.LABEL or any(
        word in reader.at and 2 * len(word) >= len(reader.at)
        for word in words.known | words.joined
    )
