"""All readers that give a known value on one page, and those of them that give it by no
chance."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import chain, filterfalse, product
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.crossed_out import CROSSING_OUT
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.json_readers import (
    json_candidates,
    json_list_candidates,
)
from crawloop_assets.induce.detail.lists import list_candidates
from crawloop_assets.induce.detail.singles import dom_candidates
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.induce.locate.fit import low_entropy
from crawloop_assets.induce.locate.labelled_parts import label_cut_off
from crawloop_assets.induce.locate.number_forms import code_of
from crawloop_assets.induce.locate.place import Place
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters, tokens, word_set
from crawloop_assets.values.truths import truth_of
from crawloop_assets.values.value import Value

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)
_ITEM = re.compile(r"\[\d+\]")
_LONG_NUMBER = 4  # digits
_BEFORE = word_set("old former formerly previous original was regular before crossed")
"""Words in the name of a field whose values a page crosses out."""
_PIPE_OF_PLACE, _PIPE_OF_READER = attrgetter("pipe"), attrgetter("reader.pipe")
_BEHIND_LABEL = tuple(product((Source.LABEL,), ("next", "block", "same")))


def candidates(index: Index, value: Value, spec: FieldSpec) -> list[CandidateReader]:
    """Readers that give the value on one page, of which what they lean on says that it
    is no chance."""
    found = possible_candidates(index, value, spec)
    is_title = _is_title(index.document, value, spec)
    if not is_title and not low_entropy(value, spec):
        return found
    # What the fourth of several says by chance, nothing says of the fourth.
    found = list(filterfalse(_is_of_later_item, found))
    if spec.kind in _NUMBERS and not _is_long(value):
        # A heading names what a page is about, and no number in it.
        found = list(filterfalse(_is_by_tag, found))
    named = _named(found, tuned("candidates.named"))
    if spec.kind is FieldKind.MINUTES:
        return named or _named(found, tuned("singles.self_named"))
    return (
        named
        or list(filter(partial(_is_named_by_form, index.document, spec), found))
        or _of_long_number(found, value, spec, index.document)
        or _of_only_place(found, value, spec, index)
    )


def _is_named_by_form(
    document: Document, spec: FieldSpec, candidate: CandidateReader
) -> bool:
    """Whether the form of a text says which number it is: a former price is crossed out,
    "S02" begins as the season does."""
    reader = candidate.reader
    if reader.src is not Source.CSS or spec.kind not in _NUMBERS:
        return False
    names = tokens(spec.name)
    codes = (code_of(str(step.args[0])) for step in reader.pipe if step.op is Op.REGEX)
    is_initial = any(map(names[0].startswith, filter(None, codes)))
    return is_initial or (
        candidate.alone
        and not _BEFORE.isdisjoint(names)
        and _is_crossed_out(document, reader)
    )


def _is_crossed_out(document: Document, reader: Reader) -> bool:
    """Whether a reader finds one element of a page, and that is crossed out."""
    numbers = select(Scope(document), reader.at)
    around = chain(numbers, *map(document.ancestors, numbers))
    tags = set(map(document.tags.__getitem__, around))
    return len(numbers) == 1 and not tags.isdisjoint(CROSSING_OUT)


def _of_long_number(
    found: list[CandidateReader], value: Value, spec: FieldSpec, document: Document
) -> list[CandidateReader]:
    """The readers of a long number from the one label it stands behind, whatever that
    says but the page's own name: so many digits are there by no chance, and other pages
    have the label or no value."""
    if spec.kind not in _NUMBERS or not _is_long(value):
        return []
    return _behind_one_label(found, document)


def _is_long(value: Value) -> bool:
    """Whether a number has so many digits that it stands nowhere by chance."""
    return sum(map(str.isdigit, str(value))) >= _LONG_NUMBER


def _is_of_later_item(candidate: CandidateReader) -> bool:
    """Whether a candidate reads an item of a list of JSON by its number."""
    reader = candidate.reader
    return reader.src is Source.JSON and _ITEM.search(reader.at) is not None


def _is_by_tag(candidate: CandidateReader) -> bool:
    """Whether a candidate leans on nothing but a tag."""
    return candidate.reader.kin is Kin.TAG


def _of_only_place(
    found: list[CandidateReader], value: Value, spec: FieldSpec, index: Index
) -> list[CandidateReader]:
    """The readers from the one label that a number or a choice stands behind, if nothing
    else of the page says it: what is known to be shown is shown there."""
    if spec.shape is not Shape.ONE or not _says_itself(value, spec):
        return []
    places = [one for one in index.places(value, spec) if one.get == "text"]
    if spec.kind in _NUMBERS:
        # A number is all that its place says, and not one of several in a text.
        places = list(filterfalse(_PIPE_OF_PLACE, places))
        found = list(filterfalse(_PIPE_OF_READER, found))
    if not are_one_place(index.document, places):
        return []
    return _behind_one_label(found, index.document)


def _behind_one_label(
    found: list[CandidateReader], document: Document
) -> list[CandidateReader]:
    """The candidates that read behind a label, if all of them do behind the same one,
    and that is not the page's own name."""
    behind = beside_labels(found)
    labels = set(map(its_label, behind))
    if len(labels) != 1 or _is_in_title(document, *labels):
        return []
    return behind


def beside_labels(found: Sequence[CandidateReader]) -> list[CandidateReader]:
    """The candidates that read behind a label; where some read what is right beside
    theirs, those of such labels only: what is behind a heading has labels in it."""
    behind = list(filter(its_label, found))
    beside = list(filterfalse(_is_of_block, behind)) or behind
    labels = set(map(its_label, beside))
    return [one for one in behind if its_label(one) in labels]


def _is_of_block(candidate: CandidateReader) -> bool:
    """Whether a candidate reads all that stands behind a label."""
    return candidate.reader.get == "block"


def are_one_place(document: Document, places: Sequence[Place]) -> bool:
    """Whether places, in the order of the page, are one and what is around it."""
    last = places[-1].number if places else -1
    return all(one.number <= last < document.end[one.number] for one in places)


def _says_itself(value: Value, spec: FieldSpec) -> bool:
    """Whether a value that stands once on a page may be told from all others: a number,
    or a choice of some letters."""
    if spec.kind in _NUMBERS:
        return True
    is_choice = spec.kind is FieldKind.CHOICE
    return is_choice and len(letters(str(value))) >= tuned("trials.no_chance")


def its_label(candidate: CandidateReader) -> str:
    """The only such label of the page that a candidate reads behind, be it one in the
    text that it cuts; "" if it leans on none."""
    reader = candidate.reader
    behind = reader.at * ((reader.src, reader.get) in _BEHIND_LABEL)
    return (label_cut_off(reader.pipe) or behind) * candidate.alone


def _named(found: list[CandidateReader], least: float) -> list[CandidateReader]:
    """The candidates that lean on this share of the field's words or more."""
    named: list[CandidateReader] = []
    for candidate in found:
        if candidate.named >= least:
            named.append(candidate)
    return named


def possible_candidates(
    index: Index, value: Value, spec: FieldSpec
) -> list[CandidateReader]:
    """All readers that give the value on one page, by chance or not."""
    context = field_context(index, value, spec)
    found: list[CandidateReader] = []
    if spec.shape is Shape.ONE:
        found += json_candidates(index, value, spec, context)
        found += dom_candidates(index, value, spec, context)
    else:
        items = _items(value)
        found += json_list_candidates(index, items, spec, context)
        found += list_candidates(index, items, spec, context)
    return [one for one in found if one.prior > 0 and not _is_behind_answer(one, spec)]


def _is_behind_answer(candidate: CandidateReader, spec: FieldSpec) -> bool:
    """Whether a flag is read behind the yes or no of another one, taken for its label: what
    is the second flag where the first is so is the third where it is not."""
    kinds = (spec.kind, candidate.reader.src)
    is_flag = kinds == (FieldKind.BOOLEAN, Source.LABEL)
    return is_flag and truth_of(candidate.reader.at) is not None


def _items(value: Value) -> list[Value]:
    """The items of a list; a single value as the only one."""
    if isinstance(value, list | tuple):
        return list(value)
    return [value]


def _is_title(document: Document, value: Value, spec: FieldSpec) -> bool:
    """True for a single tag that is part of the page's title: it is found there whether
    or not it is a tag."""
    if spec.shape is not Shape.SET or not isinstance(value, list):
        return False
    if len(value) != 1:
        return False
    return _is_in_title(document, letters(str(value[0])))


def _is_in_title(document: Document, form: str) -> bool:
    """Whether the page's title or its main heading has those letters."""
    numbers = document.by_tag.get("title", [])[:1]
    numbers += document.by_tag.get("h1", [])[:1]
    texts = map(document.text, numbers)
    return any(form in letters(text) for text in texts)
