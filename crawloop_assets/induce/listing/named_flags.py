"""Flags of rows of which all known ones say the same: then any word that all rows have
would do, and only the field's own name tells its place."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.table_heads import head_over
from crawloop_assets.induce.listing.judging import FoundReader, judge_location
from crawloop_assets.induce.listing.locations import KnownCell, find_locations
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import tokens


def named_flags(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> list[FoundReader]:
    """Readers of places that have a name of the field and nothing beside it, behind a
    label, under the header of a column or a key: where every other row says yes or no
    there by a word of its own, too."""
    judged = partial(judge_location, spec, samples=samples, others=others)
    found = chain.from_iterable(map(judged, find_locations(spec, samples)))
    sure = [one for one in found if one.right == one.fill == 1.0]
    names = partial(_names, samples[0].scope)
    is_named = partial(_is_named, words_of(spec))
    return [one for one in sure if any(map(is_named, names(one.reader)))]


def _is_named(words: Words, name: str) -> bool:
    """Whether a text is a whole name of a field."""
    return words.share(tokens(name)) == 1.0


def _names(scope: Scope, reader: Reader) -> Iterator[str]:
    """What the place of a reader is called: its label or key, the label at which it cuts,
    the header over its cell, if it is one and not one of several."""
    cuts = [step for step in reader.pipe if step.op is Op.AFTER]
    yield from map(str, chain.from_iterable(map(attrgetter("args"), cuts)))
    cells = select(scope, reader.at) if reader.src is Source.CSS else []
    yield from map(partial(head_over, scope.document), cells[: len(cells) == 1])
    yield reader.at.rpartition(".")[2]
