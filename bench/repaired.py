"""What `bench.repair` tells: the models of its results, and its tables."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, product
from operator import attrgetter

from pydantic import BaseModel, TypeAdapter

from crawloop_assets.eval.score import Score
from crawloop_assets.heal.regenerate import RegenerationOutcome


class RepairedField(BaseModel):
    """One field of one record on a page after the redesign: whether its known value was
    there to heal with, and how it is read without the model's part and with it.

    `is_by_model`: the model's part changed how it is read, `is_written`: the model wrote
    its readers. `is_stated`: the pack says that its value stands on the page as it is
    written. `is_resized`: it is wrong with the model's part, but the same picture in
    another size. `said`: the value of the pack and the one read with the model's part.
    """

    page: str
    field: str
    is_known: bool
    is_by_model: bool
    is_written: bool
    is_stated: bool
    alone: Score
    helped: Score
    is_resized: bool = False
    said: str = ""


class UntoldValue(BaseModel):
    """A value that the model's part reads, of which the pack has none to compare it
    with."""

    page: str
    field: str
    read: str


class RepairedFamily(BaseModel):
    """A family and what came of it; "" of `outcome`: nobody was asked."""

    family: str
    schema_name: str
    alone: str = ""
    outcome: str = ""
    reason: str = ""
    tries: tuple[str, ...] = ()
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    fields: tuple[RepairedField, ...] = ()
    untold: tuple[UntoldValue, ...] = ()

    @property
    def stated(self) -> list[RepairedField]:
        """The fields whose value stands on the page as it is written."""
        return list(filter(attrgetter("is_stated"), self.fields))

    @property
    def published(self) -> list[RepairedField]:
        """The fields that the model's part of a promoted version reads or should."""
        is_promoted = self.outcome == RegenerationOutcome.PROMOTED.value
        return [one for one in self.fields if is_promoted and one.is_by_model]


ENDED = TypeAdapter(list[RepairedFamily])


def line(ended: RepairedFamily) -> str:
    """One family in a line."""
    fields = Counter(map("{0.alone}->{0.helped}".format, ended.stated))
    said = ", ".join(map("{0[0]} {0[1]}".format, sorted(fields.items())))
    return (
        f"{ended.family}: {ended.alone}; {ended.outcome} ({ended.calls} calls): {said}"
    )


def table(found: Sequence[RepairedFamily]) -> Iterator[str]:
    """The figures of all families."""
    ends = Counter(map(attrgetter("outcome"), found))
    spent = [sum(map(attrgetter(name), found)) for name in _SPENT]
    yield f"{len(found)} families: {dict(ends)}; calls, tokens in and out: {spent}\n"
    yield "| fields of pages whose record is | read | right | wrong | not read |"
    yield "|---|---|---|---|---|"
    fields = list(chain.from_iterable(map(attrgetter("stated"), found)))
    known = list(filter(attrgetter("is_known"), fields))
    others = list(filterfalse(attrgetter("is_known"), fields))
    by_model = list(filter(attrgetter("is_by_model"), fields))
    parts = {"known": known, "not known": others, "read by the model's part": by_model}
    for (said, part), who in product(parts.items(), ("alone", "helped")):
        scores = Counter(map(attrgetter(who), part))
        cells = (said, who, *map(scores.__getitem__, _SCORES))
        yield f"| {' | '.join(map(str, cells))} |"
    resized = sum(one.is_resized and one.alone is not Score.WRONG for one in fields)
    yield f"\nOf what became wrong, the same picture in another size: {resized}"
    yield from _published(found)


def _published(found: Sequence[RepairedFamily]) -> Iterator[str]:
    """What the model's part of promoted versions publishes, against all that the pack
    tells, and each value that has to be looked at on its page."""
    fields = list(chain.from_iterable(map(attrgetter("published"), found)))
    untold = list(chain.from_iterable(map(attrgetter("untold"), found)))
    families = sum(bool(one.published or one.untold) for one in found)
    yield (
        f"\nPublished with the model's part of {families} promoted families, "
        f"{len(untold)} values of which the pack says nothing, and:"
    )
    yield "| readers | as the pack says | otherwise |"
    yield "|---|---|---|"
    for said, is_written in (("by the model", True), ("of healing alone", False)):
        scores = Counter(one.helped for one in fields if one.is_written is is_written)
        yield f"| {said} | {scores[Score.RIGHT]} | {scores[Score.WRONG]} |"
    for one in filter(partial(_is, Score.WRONG), fields):
        yield f"    {one.page} {one.field}: {one.said}"
    for value in untold:
        yield f"    {value.page} {value.field}: nothing, read {value.read}"


def _is(score: Score, one: RepairedField) -> bool:
    """Whether a field is read so with the model's part."""
    return one.helped is score


_SPENT = ("calls", "tokens_in", "tokens_out")
_SCORES = (Score.RIGHT, Score.WRONG, Score.NONE)
