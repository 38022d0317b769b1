"""What speaks for one field on one changed page."""

from dataclasses import dataclass
from functools import cached_property

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope, read, select
from crawloop_assets.induce.detail.named import NamedValue, PageNames
from crawloop_assets.induce.healing.relocate import relocate
from crawloop_assets.induce.healing.statements import Statements
from crawloop_assets.induce.locate.fit import low_entropy
from crawloop_assets.induce.locate.occurrence import is_stated_whole, occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.similarity import resembles
from crawloop_assets.induce.proof.right import is_right
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value


@dataclass(frozen=True)
class PageWitnesses:
    """One field on one page.

    `old` is the field as it was read, `known` its last known value there (None if there
    is none), `siblings` how healed families of the same site read it, `taken` the
    values that are other fields'. `is_vouched`: no record is
    known that lacks the field, or another has it.
    """

    spec: FieldSpec
    old: FieldProgram
    names: PageNames
    known: Value | None
    statements: Statements
    siblings: FieldProgram
    taken: tuple[Value, ...] = ()
    is_vouched: bool = True

    @property
    def index(self) -> Index:
        """The page."""
        return self.names.index

    @cached_property
    def _scope(self) -> Scope:
        """The whole page."""
        return Scope(self.index.document)

    @cached_property
    def _voted(self) -> tuple[Value, FieldVote]:
        """What the old readers say here, and how they voted."""
        return vote_on(self.old, self._scope)

    @property
    def value(self) -> Value | None:
        """What the old readers give."""
        return self._voted[0]

    @property
    def vote(self) -> FieldVote:
        """How far the old readers agree."""
        return self._voted[1]

    def value_of(self, reader: Reader) -> Value | None:
        """What one reader alone gives as the value of the field."""
        alone = FieldProgram(spec=self.spec, readers=(reader,))
        return vote_on(alone, self._scope)[0]

    def is_belied(self, reader: Reader) -> bool:
        """True if the reader gives another value than the last known one."""
        value = self.value_of(reader)
        is_known = None not in (value, self.known)
        return is_known and not is_right(value, self.known, self.spec)

    def fills(self, reader: Reader) -> bool:
        """True if the reader gives something."""
        return read(reader, self._scope, self.spec) is not None

    def start_of(self, reader: Reader) -> int | None:
        """The first element a reader of markup starts from; None for other readers."""
        is_markup = reader.src is Source.CSS
        return next(iter(select(self._scope, reader.at)), None) if is_markup else None

    @cached_property
    def stated(self) -> Value | None:
        """What structured data states."""
        return self.statements.value_on(self.index)

    @property
    def is_confirmed(self) -> bool:
        """True if the old readers still give the last known value."""
        return is_right(self.value, self.known, self.spec)

    @property
    def is_known_stated(self) -> bool:
        """True if structured data gives the last known value, a list as a whole."""
        if is_stated_whole(self.index, self.known, self.spec):
            return True
        return is_right(self.stated, self.known, self.spec)

    @property
    def is_spoken(self) -> bool:
        """True if the old readers give a value, with enough agreement."""
        return self.value is not None and self.vote.agreement >= tuned(
            "page_witness.spoken"
        )

    @property
    def is_settled(self) -> bool:
        """True if two or more of the old readers speak, as one."""
        return (
            self.vote.agreement >= tuned("page_witness.certain")
            and self.vote.live_readers > 1
        )

    @property
    def is_known_elsewhere(self) -> bool:
        """True if the last known value is no mere number and still on the page, on
        which the old readers give another one."""
        if self.known is None or low_entropy(self.known, self.spec):
            return False
        if same(self.value, self.known, self.spec):
            return False
        return occurs_on(self.index, self.known, self.spec)

    @property
    def is_contradicted(self) -> bool:
        """True if the witnesses agree on something else than the old readers give."""
        if self.agreed_value is None or self.value is None:
            return False
        return not same(self.agreed_value, self.value, self.spec)

    @property
    def is_known_agreed(self) -> bool:
        """True if the witnesses agree on the last known value."""
        return is_right(self.agreed_value, self.known, self.spec)

    @property
    def resembles_known(self) -> bool:
        """True if the witnesses agree on something like the last known value."""
        if self.agreed_value is None or self.known is None:
            return False
        return resembles(self.agreed_value, self.known, self.spec)

    @property
    def agreed_value(self) -> Value | None:
        """The value the witnesses agree on, None if they do not."""
        return self.agreed.value if self.agreed is not None else None

    @cached_property
    def agreed(self) -> NamedValue | None:
        """The value the witnesses agree on, and whether it is more than a guess.

        Structured data and likeness, or a sibling, together outweigh the old readers;
        without those, structured data speaks for itself, then what two kinds of names
        agree on, then the other witnesses. Those may mean what another field is.
        """
        if self.is_spoken:
            return NamedValue(self._spoken_or_stated(), sure=True)
        if self.stated is not None:
            return NamedValue(self.stated, sure=True)
        found = self._named_or_seconded()
        is_taken = found is not None and found.value in self.taken
        return None if is_taken else found

    def _named_or_seconded(self) -> NamedValue | None:
        """What two kinds of names agree on, else the other witnesses."""
        named = self.names.guess(self.spec)
        if named is not None and named.sure:
            return named
        return self._seconded(named)

    def _spoken_or_stated(self) -> Value | None:
        """What the old readers give, or a statement against it that another witness
        backs; where nothing vouches for those readers, what the record itself states."""
        own = None if self.is_vouched else self.statements.own_on(self.index)
        if own is not None:
            return own
        if self.stated is None or same(self.stated, self.value, self.spec):
            return self.value
        for witness in (self._most_like(), self._sibling_value()):
            if same(self.stated, witness, self.spec):
                return self.stated
        return self.value

    def _seconded(self, named: NamedValue | None) -> NamedValue | None:
        """What a sibling's readers give, else a likeness without rival, else what one
        name gives; sure where another of the three is the same."""
        claims = [self._sibling_value(), self._most_like()]
        if named is not None:
            claims.append(named.value)
        there = present(claims)
        if not there:
            return None
        first, *others = there
        is_sure = any(same(first, other, self.spec) for other in others)
        return NamedValue(first, sure=is_sure)

    def _sibling_value(self) -> Value | None:
        """What the readers of siblings agree on."""
        value, vote = vote_on(self.siblings, self._scope)
        return value if vote.agreement >= tuned("page_witness.certain") else None

    def _most_like(self) -> Value | None:
        """What looks like the field did and has no rival."""
        found = relocate(self.index, self.old, self.spec)
        if (
            found is None
            or found.score < tuned("page_witness.like")
            or found.margin < tuned("page_witness.margin")
        ):
            return None
        return found.value
