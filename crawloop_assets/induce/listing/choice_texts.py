"""Choices that rows have in other words: which text stands for which choice is told by
rows whose choice is known."""

from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.judging import FoundReader, judge_reader
from crawloop_assets.induce.listing.locations import KnownCell, leaf_selectors
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import skeleton

_LONGEST = 40  # characters of a text that stands for a choice
_MOST_TEXTS = 8


def worded_choices(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> Iterator[FoundReader]:
    """Readers of places that have one text for each known choice, and another one for
    every other."""
    if spec.kind is not FieldKind.CHOICE or spec.shape is not Shape.ONE:
        return
    if (
        len(samples) < tuned("choice_texts.fewest_rows")
        or samples[0].scope.data is not None
    ):
        return
    for at, kin, prior in leaf_selectors(samples[0].scope, spec):
        steps = _steps(at, samples)
        if steps:
            reader = Reader(src=Source.CSS, at=at, get="text", pipe=steps, kin=kin)
            trust = prior * tuned("choice_texts.trust")
            weighed = reader.model_copy(update={"weight": round(trust**2, 4)})
            yield judge_reader(spec, weighed, samples, others, trust)


def _steps(at: str, samples: Sequence[KnownCell]) -> tuple[Step, ...]:
    """What makes the texts of a place the known choices; nothing where one text stands
    for two of them, or two for one."""
    texts: dict[str, str] = {}
    meant: dict[str, str] = {}
    for scope, value in samples:
        said = _text(at, scope)
        form, choice = skeleton(said), str(value)
        if not form or meant.setdefault(form, choice) != choice:
            return ()
        if skeleton(texts.setdefault(choice, said)) != form:
            return ()
    if not tuned("choice_texts.fewest_texts") <= len(texts) <= _MOST_TEXTS:
        return ()
    return tuple(Step(op=Op.MAP, args=(said, choice)) for choice, said in texts.items())


def _text(at: str, scope: Scope) -> str:
    """The short text of a place in a row, "" if it has none."""
    place = Reader(src=Source.CSS, at=at, get="text", kin=Kin.OTHER)
    texts = read_texts(place, scope)
    if not texts or len(texts[0]) > _LONGEST or has_digit(texts[0]):
        return ""
    return texts[0]
