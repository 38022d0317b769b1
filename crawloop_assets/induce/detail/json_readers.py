"""Candidates that read a page's JSON: one value, or a whole list."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.headings import heading_pipe
from crawloop_assets.induce.detail.json_paths import json_kin, json_prior
from crawloop_assets.induce.detail.proved import proved
from crawloop_assets.induce.detail.repeated import is_tags
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.cut_otherwise import cut_otherwise
from crawloop_assets.induce.locate.fit import Pipe, item_spec
from crawloop_assets.induce.locate.fits import Fits
from crawloop_assets.induce.locate.joined import SPLIT, split_fit
from crawloop_assets.induce.locate.parted_keys import BOTH_KEYS, parted_keys
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.numbers import plain
from crawloop_assets.values.text import letters
from crawloop_assets.values.truths import truth_of
from crawloop_assets.values.value import Value

_DEDUPE = Step(op=Op.DEDUPE)
# The whole text of a tree of steps is preferred: it loses nothing.
_STEPS = ("items+names", "items+headings", "items")
_MOST_PROVED, _MOST_SINGLES, _MOST_LISTS = 32, 16, 12
_MOST_ITEMS = 6  # of a path that are compared with a single value
_MOST_HEADS = 3  # of a path that may be the first item of a list
# Characters.
_LONGEST_CHOICE, _LONGEST_NUMBER, _LONGEST_SIGN = 80, 400, 40
_LONG_TEXT = 400  # letters; so long a text is compared whatever it begins with
_LIST_HEAD = 16  # letters of the first item that one of the first texts has
_HEAD = 12  # letters that a text has to have of the value
_LONGEST_ITEM = 50_000
_MOST_AROUND = 200  # beside thrice the letters of the value


def json_candidates(
    index: Index, value: Value, spec: FieldSpec, context: FieldContext
) -> list[CandidateReader]:
    """Readers of a page's JSON that give the value."""
    document, single = index.document, item_spec(spec)
    found: list[CandidateReader] = []
    sought = _Sought(letters(str(value)), single, index.fits.of(value, single))
    for path, texts in document.leaves.items():
        fitting = _first_fitting(texts[:_MOST_ITEMS], sought)
        if fitting is None:
            continue
        position, pipe = fitting
        cuts = cut_otherwise(plain(texts[position]), pipe, has_key=True)
        for cut in (pipe, *cuts):
            found.append(_candidate(index, path, position, cut, context))
    found += _under_two_keys(index, value, spec, context)
    likely = best(found, _MOST_PROVED)
    return proved(likely, document, value, single)[:_MOST_SINGLES]


def _under_two_keys(
    index: Index, value: Value, spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    """Readers of what stands under two keys of an object, trusted as that is, and less."""
    for part in parted_keys(index.document.leaves, value, spec):
        prior, share = json_prior(part.above, context.words, index.main)
        kin = json_kin(part.path)
        reader = Reader(
            src=Source.JSON, at=part.path, get="value", pipe=BOTH_KEYS, kin=kin
        )
        yield CandidateReader(reader, tuned("parts.joined") * prior, share)


class _Sought(NamedTuple):
    """The letters of a value, its field as one of a single value, and what makes a text
    of the page the value."""

    letters: str
    spec: FieldSpec
    fits: Fits


def _first_fitting(texts: Sequence[str], sought: _Sought) -> tuple[int, Pipe] | None:
    """The position of the first text that is the value, and the steps that make it
    so."""
    wanted, spec, fits = sought
    longest = 3 * len(wanted) + _MOST_AROUND
    for position, text in enumerate(texts):
        if len(text) > longest or not _may_be(text, wanted, spec):
            continue
        pipe = fits[plain(text)]
        if pipe is not None:
            return position, pipe
    return None


def _may_be(text: str, wanted: str, spec: FieldSpec) -> bool:
    """False for a text that is not the value at first sight; to fit it is dear.

    `wanted`: the letters of the value.
    """
    match spec.kind:
        case FieldKind.CHOICE:
            return len(text) < _LONGEST_CHOICE
        case FieldKind.TEXT:
            return _may_be_text(text, wanted)
        case FieldKind.URL:
            return "/" in text
        case FieldKind.BOOLEAN:
            return truth_of(text) is not None
        case _:
            return len(text) < _LONGEST_NUMBER and any(map(str.isdigit, text))


def _may_be_text(text: str, wanted: str) -> bool:
    """False for a text that is too short or does not begin alike; one that begins with
    a number may be counted."""
    if len(text) < tuned("json_readers.least_length") * len(wanted):
        return False
    if not wanted:
        return len(text) <= _LONGEST_SIGN
    if len(wanted) > _LONG_TEXT:
        return True
    if wanted[:_HEAD] in letters(text):
        return True
    return text[:4].strip().isdigit()


def _candidate(
    index: Index, path: str, position: int, pipe: Pipe, context: FieldContext
) -> CandidateReader:
    """A reader of the first value of a path, or of its item at a position."""
    prior, share = json_prior(path, context.words, index.main)
    if position:
        start, _, end = path.rpartition("[*]")
        path, prior = (
            f"{start}[{position}]{end}",
            tuned("json_readers.later_item") * prior,
        )
    is_template = any(step.op is Op.TEMPLATE for step in pipe[-1:])
    if is_template and not share:
        prior *= tuned("json_readers.unnamed_template")
    reader = Reader(
        src=Source.JSON, at=path, get="value", pipe=pipe, kin=json_kin(path)
    )
    return CandidateReader(reader, prior * context.trust(pipe), share)


def json_list_candidates(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> list[CandidateReader]:
    """Readers of a page's JSON that give the whole list."""
    document, wanted = index.document, list(values)
    head = ""
    for value in wanted[:1]:
        head = letters(str(value))[:_LIST_HEAD]
    if not head:
        return []
    found: list[CandidateReader] = []
    for path, texts in document.leaves.items():
        if any(_holds(text, head) for text in texts[:_MOST_HEADS]):
            likely = _of_list(index, path, wanted, spec, context)
            found += proved(likely, document, wanted, spec)
    return best(found, _MOST_LISTS)


def _holds(text: str, head: str) -> bool:
    """True for a text, not of a whole page, with the first letters of the list in
    it."""
    return len(text) < _LONGEST_ITEM and head in letters(text)


def _of_list(
    index: Index,
    path: str,
    wanted: list[Value],
    spec: FieldSpec,
    context: FieldContext,
) -> Iterator[CandidateReader]:
    """Readers of a path that may give the list: its values, or the steps of its
    tree."""
    document = index.document
    prior, share = json_prior(path, context.words, index.main)
    kin, lasting = json_kin(path), heading_pipe(wanted, spec)
    for pipe in _pipes(document.leaves[path], wanted, spec, document.base_url):
        whole = (*pipe, *lasting)
        reader = Reader(src=Source.JSON, at=path, get="value", pipe=whole, kin=kin)
        yield CandidateReader(reader, prior * context.trust(pipe), share)
    if spec.kind is not FieldKind.TEXT or len(wanted) < 2:
        return
    tree = path.split("[*]")[0]
    for rank, get in enumerate(_STEPS):
        reader = Reader(src=Source.JSON, at=tree, get=get, pipe=lasting, kin=kin)
        yield CandidateReader(
            reader, prior + tuned("json_readers.tree") / (1 + rank), share
        )


def _pipes(
    texts: list[str], values: list[Value], spec: FieldSpec, base_url: str
) -> Iterator[Pipe]:
    """The steps that may make the values of the texts of one path."""
    if is_tags(values, spec):
        yield SPLIT
        return
    yield ()
    if len(texts) == 1:
        pipe = split_fit(texts[0], values, spec, base_url)
        if pipe:
            yield pipe
    elif len(texts) > len(values):
        yield (_DEDUPE,)
