"""What became of the known values of one field, and of the records that have none."""

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from statistics import fmean
from typing import Self

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.program import FieldProgram, Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.locate.nearness import have_moved_a_little
from crawloop_assets.induce.proof.moved import are_moved
from crawloop_assets.induce.proof.right import published_value
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_FEWEST = 3  # records that tell more than a change on the site
_TIMES = 2  # as many are as they were known as are not
_MANY = 0.25
"""Share of the known values of a steady field: so many are no news of one day."""
_MEASURES = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.DATE, FieldKind.MINUTES)
_WORDED = (FieldKind.CHOICE, FieldKind.BOOLEAN)
_COUNTED = frozenset((Op.NUMBER, Op.DATE, Op.PART, Op.NTH))


class FieldTally:
    """What became of the known values of one field.

    `changed` values no longer occur on their page, of `retold` ones of them the known thing
    states in few words more or less what was known; `moved` ones may stand there as
    something else, `taken` of them as another row's, `others` by what that states.
    `unseen` says of each value on a page that the maker of the program has not seen
    whether it is right. Of `cut` ones, which are wrong, a part is read.
    `invented` says of each value that is read of a record without one what it is, and
    on which page; `come` the same of values that may have come since, of so many records
    that are `lacking` one. Of `changed` values that are `other` ones now something is
    read. `against` is the first value that stands on its page and is not what
    is read. `before` are all known values, and `now` what is read for each; `unshown` whether its
    page was not seen, either; `worded` numbers are
    said in words, if at all.
    """

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self.right = self.wrong = self.silent = self.changed = self.moved = 0
        self.cut = self.others = self.taken = self.other = self.lacking = 0
        self.worded = self.retold = 0
        self.agreements: list[float] = []
        self.unseen: list[bool] = []
        self.invented: list[str] = []
        self.come: list[str] = []
        self.unshown: list[bool] = []
        self.before: list[Value] = []
        self.now: list[Value | None] = []
        self.against = ""

    @property
    def agreement(self) -> float:
        """The mean agreement of the readers."""
        return _mean(self.agreements) or 0.0

    @property
    def held_out(self) -> float | None:
        """The share of the `unseen` that is right; None if there are none."""
        return _mean(self.unseen)

    def moved_away(self, spec: FieldSpec) -> int:
        """How many values of a volatile field have left their page, with another one read
        for each, where all that are still there are other rows' now: a count may be today
        what that of another row was."""
        return self.other * (spec.volatile and self.moved == self.taken)

    def have_moved(
        self, spec: FieldSpec, right: int, beside: int, learned: FieldProgram | None
    ) -> bool:
        """Whether the `moved` values are news where so many are `right`; not of a field whose
        words were `learned` by heart."""
        if have_moved_a_little(spec, self.before, self.now):
            return True
        is_little = are_moved(spec, self.moved, right, beside)
        return is_little and not self.is_by_heart(learned)

    def is_by_heart(self, field: FieldProgram | None) -> bool:
        """Whether the words of a choice say another one than is known on so many pages that
        the maker has not seen, that they fit those it has seen by chance."""
        if field is None or not _has_words(field):
            return False
        every = zip(self.before, self.now, self.unshown, strict=True)
        said = [(then, now) for then, now, new in every if new and now is not None]
        right = sum(same(now, then, field.spec) for then, now in said)
        return len(said) >= _FEWEST and right < _TIMES * (len(said) - right)

    def has_left(self, spec: FieldSpec, read: Value, *, is_gone: bool) -> None:
        """Count a known value that its page has no more, and what is read now; of a record
        that is gone from there nothing is meant by what is read."""
        # A choice is there in other words, or not: nobody can see that it changed.
        is_worded = spec.kind in _WORDED and read is not None
        self.moved += is_worded and not is_gone
        self.changed += not is_worded or is_gone
        self.other += read is not None and not is_gone

    def stands_against(self, wanted: Value, read: Value, url: str) -> None:
        """Note the first value that speaks against the field."""
        got = "nothing" if read is None else repr(read)
        self.against = self.against or f"{got} is read where {wanted!r} stands on {url}"

    def beside_nothing(
        self, field: FieldProgram, record: ExtractedRecord, url: str
    ) -> None:
        """Note what is read of a known record that has no value, and that may be a
        neighbour's: it is another field's, or the reader goes by no name.

        What is volatile comes and goes, but not for all records at once.
        """
        name, value = field.spec.name, published_value(record, field.spec)
        self.lacking += 1
        if value is None:
            return
        others = [one for other, one in record.values.items() if other != name]
        is_named = record.votes[name].reader in _named_places(field)
        said = f"{value!r} is read where {url} has nothing known"
        if value in others or not (is_named or field.spec.volatile):
            self.invented.append(said)
        elif not is_named:
            self.come.append(said)

    def with_invented(self) -> Self:
        """The same, with what was invented as wrong; where no known value is read right
        the field is new to the records."""
        if len(self.come) == self.lacking >= _FEWEST:
            self.invented += self.come
        if self.right:
            self.wrong += len(self.invented)
            self.against = self.against or next(iter(self.invented), "")
        return self

    def with_other(self, spec: FieldSpec) -> Self:
        """The same; where for several steady numbers or days, and for many of those that are
        known, another one is read, those are wrong: the unit may be, or the place, or the
        others are read right by chance. Of what is required a person hears anyway if nothing
        confirms it."""
        is_measure = spec.kind in _MEASURES and not (spec.volatile or spec.required)
        is_many = self.other >= max(_FEWEST, _MANY * (self.right + self.other))
        if is_measure and is_many:
            self.wrong += self.other
            self.changed -= self.other
            self.against = (
                self.against or f"another one is read for {self.other} known values"
            )
        return self

    def astray(self, why: str) -> Self:
        """The same; all is wrong where something else is read in this field's place, ""
        where nothing is."""
        if why:
            self.wrong += self.changed
            self.changed = 0
            self.against = self.against or why
        return self


def _has_words(field: FieldProgram) -> bool:
    """Whether words stand for the choices of a field."""
    steps = chain.from_iterable(map(attrgetter("pipe"), field.all_readers))
    return Op.MAP in map(attrgetter("op"), steps)


def _mean(values: Sequence[float]) -> float | None:
    """The mean, rounded; None of nothing."""
    return round(fmean(values), 4) if values else None


def _named_places(field: FieldProgram) -> frozenset[str]:
    """Where a field's readers look that find it by a label or a key."""
    return frozenset(one.at for one in field.all_readers if _goes_by_name(one))


def _goes_by_name(reader: Reader) -> bool:
    """Whether a reader finds its value by a label or a key, and is not one of several
    in one text: what that says of another field has the same name."""
    is_named = reader.kin is Kin.LABEL or reader.src is Source.JSON
    return is_named and _COUNTED.isdisjoint(map(attrgetter("op"), reader.pipe))
