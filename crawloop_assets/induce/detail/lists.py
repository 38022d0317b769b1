"""Candidates that read many values from a page's markup: repeated elements, a block of
lines, a split text."""

from collections.abc import Iterable, Sequence

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.blocks import block_candidates
from crawloop_assets.induce.detail.headings import (
    UNCOUNTED,
    UNHEADED,
    lasting_pipe,
    prefer_headings,
    prefer_items,
)
from crawloop_assets.induce.detail.lines import line_candidates
from crawloop_assets.induce.detail.proved import proved
from crawloop_assets.induce.detail.repeated import repeated_candidates
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.similarity import value_likeness
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.counts import counted_like
from crawloop_assets.values.value import Value

_DEDUPE = Step(op=Op.DEDUPE)
_CUT_SHORT = ("tail", "head", "own")  # a link in a sentence ends them
_LEAST_NEARLY = 5  # items of a list that may be read with a mistake
# Trust in readers that only give the list without repeats, or only nearly.
_MOST_PROPOSALS, _MOST_OF_A_SORT, _MOST_DEDUPED, _MOST_FOUND = 120, 60, 24, 24


def list_candidates(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> list[CandidateReader]:
    """Readers of a page's markup that give the whole list.

    The first sort of reader that gives it is enough: items and blocks with the step
    that other pages may need, without headings, the lines of an element, without
    repeats, nearly the list.
    """
    if not values:
        return []
    proof = _Proof(index, values, spec)
    proposals = [
        *repeated_candidates(index, values, spec, context),
        *block_candidates(index, values, spec, context),
    ]
    some = best(proposals, _MOST_OF_A_SORT)
    found = (
        _lasting(proposals, proof, context)
        or proof.exact(_piped(some, UNHEADED))
        or proof.exact(line_candidates(index, values, spec, context))
        or proof.deduped(best(proposals, _MOST_DEDUPED))
        or proof.nearly(some)
    )
    return best(found, _MOST_FOUND)


class _Proof:
    """The known list, and what readers make of its page."""

    def __init__(self, index: Index, values: Sequence[Value], spec: FieldSpec):
        """`values` are the items of the known list, in order."""
        self.index = index
        self.values = list(values)
        self.spec = spec

    def exact(self, proposals: Iterable[CandidateReader]) -> list[CandidateReader]:
        """Those that give the list."""
        return proved(proposals, self.index.document, self.values, self.spec)

    def deduped(self, proposals: list[CandidateReader]) -> list[CandidateReader]:
        """Those that give the list with repeats taken out: pages print some twice."""
        return [
            candidate._replace(prior=tuned("lists.deduped_trust") * candidate.prior)
            for candidate in self.exact(_piped(proposals, (_DEDUPE,)))
        ]

    def nearly(self, proposals: list[CandidateReader]) -> list[CandidateReader]:
        """Readers that miss or misread at most one item in ten: known lists are not
        always written as the page has them."""
        if len(self.values) < _LEAST_NEARLY:
            return []
        scope = Scope(self.index.document)
        found: list[CandidateReader] = []
        for candidate in proposals:
            value = read(candidate.reader, scope, self.spec)
            share = value_likeness(value, self.values, self.spec)
            if share >= tuned("similarity.nearly"):
                prior = tuned("lists.nearly_trust") * share * candidate.prior
                found.append(candidate._replace(prior=prior))
        return found


def _lasting(
    proposals: list[CandidateReader], proof: _Proof, context: FieldContext
) -> list[CandidateReader]:
    """Readers with the step that other pages may need, whether or not this one does."""
    pipe = lasting_pipe(proof.values, proof.spec)
    found = proof.exact(best(_piped(proposals, pipe), _MOST_PROPOSALS))
    if pipe == UNHEADED:
        return prefer_items(found)
    if pipe == UNCOUNTED:
        found = _with_counted(found, proof, context)
    return prefer_headings(found)


def _is_whole(candidate: CandidateReader) -> bool:
    """Whether a reader gives all of an element's text."""
    return candidate.reader.get not in _CUT_SHORT


def _with_counted(
    found: list[CandidateReader], proof: _Proof, context: FieldContext
) -> list[CandidateReader]:
    """Readers of sentences, and of those that the page counts, instead of readers that
    are cut short."""
    whole = list(filter(_is_whole, found))
    if whole and len(whole) == len(found):
        return found
    values = _as_counted(proof)
    counted = repeated_candidates(proof.index, values, proof.spec, context)
    some = best(_piped(list(counted), UNCOUNTED), _MOST_OF_A_SORT)
    return [*whole, *proof.exact(some)] or found


def _as_counted(proof: _Proof) -> list[Value]:
    """The values as the page writes them with numbers before each; none if it does
    not."""
    first = str(proof.values[0])
    for text in proof.index.texts_around(first):
        before = counted_like(text, first)
        if before is not None:
            numbered = enumerate(proof.values, start=1)
            return [f"{before}{number} {value}" for number, value in numbered]
    return []


def _piped(proposals: list[CandidateReader], pipe: Pipe) -> list[CandidateReader]:
    """The same readers with steps behind their own."""
    if not pipe:
        return proposals
    piped: list[CandidateReader] = []
    for candidate in proposals:
        update = {"pipe": (*candidate.reader.pipe, *pipe)}
        reader = candidate.reader.model_copy(update=update)
        piped.append(candidate._replace(reader=reader))
    return piped
