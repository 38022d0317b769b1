"""Reading with no example at all: what schema.org, OpenGraph and meta tags say under
names the vocabulary knows."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import join_path
from crawloop_assets.induce.detail.json_paths import json_kin
from crawloop_assets.induce.detail.meta_tags import heading_candidates, meta_candidates
from crawloop_assets.induce.detail.statements import (
    is_address,
    is_one_block,
    is_title,
    pipe_for,
    pipe_without_site,
)
from crawloop_assets.induce.detail.title import without_remark
from crawloop_assets.induce.detail.unshown import without_unshown
from crawloop_assets.induce.locate.candidate import CandidateReader, by_trust
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.induce.words.vocabulary import (
    OWN_TYPES,
    SIDE_TYPES,
    STEPS,
    SUMS,
)
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_DIALECTS = ["ld", "md", "rdfa"]  # the most trusted first
_MOST_PER_ROOT = 2
_MOST_ROOTS = 4
_FEWEST_OWN = 2
"""Fields that a person or a place has to fill, and half of all, to be what a page is about."""
_MOST_UNSEEN = 3  # properties that a page to come may have
_MOST_LABELS = 30
_LONG_WORD = 6  # "prep" and "time" are in many labels, "kochzeit" is one
# Trust in what no known page shows: a property, a label.


def structured_candidates(
    document: Document, spec: FieldSpec, main: Sequence[str]
) -> list[CandidateReader]:
    """Readers of a page's structured data for one field, best first.

    `main`: the roots the record is read from.
    """
    words = words_of(spec)
    found: list[CandidateReader] = []
    for rank, root in enumerate(main):
        prior = tuned(f"dialect.{_dialect(root)}")
        prior -= tuned("structured.less_per_root") * min(rank, 2)
        found.extend(_of_root(document, root, spec, words, prior))
    found.extend(meta_candidates(document, spec, words))
    found.extend(heading_candidates(document, spec, words))
    return sorted(found, key=by_trust)


def _dialect(root: str) -> str:
    """How a root is written: linked data, microdata or RDFa."""
    return root.split(":")[0]


def structured_values(index: Index, schema: RecordSchema) -> dict[str, Value]:
    """What the best structured reader says of every field."""
    found: dict[str, Value] = {}
    document = index.document
    for spec in schema.fields:
        stated = structured_candidates(document, spec, index.main)
        for candidate in without_unshown(index, stated, spec)[:1]:
            value = read(candidate.reader, Scope(document), spec)
            if value is None:
                continue
            if is_title(words_of(spec)) and spec.shape is Shape.ONE:
                value = without_remark(document, str(value))
            found[spec.name] = value
    return found


def main_roots(documents: Sequence[Document], schema: RecordSchema) -> tuple[str, ...]:
    """The structured roots that describe what the page is about: those that fill most
    fields of the schema; of people and places where no other thing is stated."""
    filled = _filled(documents, schema, _may_describe_record)
    if not any(filled.values()):
        filled = _of_people_and_places(documents, schema)
    least = max(1, tuned("structured.least_filled") * max(filled.values(), default=0))

    def rank(root: str) -> tuple[int, int, str]:
        """Sorts roots that fill most fields first, then those in the richer dialect."""
        return -filled[root], _DIALECTS.index(_dialect(root)), root

    roots: list[str] = []
    for root, count in filled.items():
        if count >= least:
            roots.append(root)
    return tuple(sorted(roots, key=rank)[:_MOST_ROOTS])


def _filled(
    documents: Sequence[Document],
    schema: RecordSchema,
    is_asked: Callable[[str], bool],
) -> Counter[str]:
    """How many fields the roots that are asked for have a property for, over all pages."""
    filled: Counter[str] = Counter()
    for document in documents:
        for root in filter(is_asked, document.roots):
            filled[root] += _filled_fields(document, root, schema)
    return filled


def _of_people_and_places(
    documents: Sequence[Document], schema: RecordSchema
) -> Counter[str]:
    """How many fields people and places fill, where each page has another one and they fill
    half of the fields: the same on all pages is whose site it is."""
    filled = _filled(documents, schema, _may_be_about)
    least = max(_FEWEST_OWN, len(schema.fields) / 2) * len(documents)
    is_own = partial(_is_own, documents, least)
    return Counter(dict(filter(is_own, filled.items())))


def _is_own(
    documents: Sequence[Document], least: float, filled: tuple[str, int]
) -> bool:
    """Whether a root fills so many fields, and several pages state it, no two the same."""
    root, count = filled
    stated = [repr(one.rooted(root)) for one in documents]
    return count >= least and len(stated) == len(set(stated)) > 1


def _may_describe_record(root: str) -> bool:
    """True for structured data of a type that pages are about."""
    dialect, _, kind = root.partition(":")
    return dialect in _DIALECTS and kind not in SIDE_TYPES


def _may_be_about(root: str) -> bool:
    """True for people and places, which are mostly beside what a page is about."""
    dialect, _, kind = root.partition(":")
    return dialect in _DIALECTS and kind in OWN_TYPES


def _filled_fields(document: Document, root: str, schema: RecordSchema) -> int:
    """How many fields of a schema a root has a property for."""
    count = 0
    for spec in schema.fields:
        paths = words_of(spec).properties
        count += any(document.json_nodes(f"{root}.{path}") for path in paths)
    return count


# -- pages that show the field --


def _of_root(
    document: Document, root: str, spec: FieldSpec, words: Words, trust: float
) -> Iterator[CandidateReader]:
    """Readers of the properties of one root that the vocabulary names for a field."""
    taken = 0
    for rank, path in enumerate(words.properties):
        if taken >= _MOST_PER_ROOT:
            return
        if not document.json_nodes(f"{root}.{path}"):
            continue
        reader = _reader(document, root, path, spec, words)
        value = read(reader, Scope(document), spec)
        if value is None:
            continue
        if is_one_block(value, spec, path):
            continue
        prior = trust - tuned("structured.less_per_rank") * rank
        if is_address(value, spec):
            yield from _shown(document, path, spec, prior)
            continue
        taken += 1
        yield CandidateReader(reader, prior, 1.0)
    if spec.kind is FieldKind.MINUTES:
        yield from _sums(
            document, root, words, spec, trust - tuned("structured.less_for_sum")
        )


def _reader(
    document: Document, root: str, path: str, spec: FieldSpec, words: Words
) -> Reader:
    """The reader of a property, with the step that its texts need on a page."""
    reader = _plain_reader(root, path, spec)
    texts = read_texts(reader, Scope(document))
    pipe = pipe_for(texts, _last_key(path), spec)
    pipe = pipe or pipe_without_site(document, texts, spec, words)
    return reader.model_copy(update={"pipe": pipe})


def _plain_reader(root: str, path: str, spec: FieldSpec) -> Reader:
    """The reader of a property; of trees of steps with their names."""
    at = f"{root}.{path}"
    get = "value"
    if path in STEPS and spec.shape is not Shape.ONE:
        get = "items+names"
    return Reader(src=Source.JSON, at=at, get=get, kin=json_kin(at))


def _last_key(path: str) -> str:
    """The name that says how a property is written, whatever it is part of."""
    return path.rsplit(".", 1)[-1]


def _shown(
    document: Document, path: str, spec: FieldSpec, prior: float
) -> Iterator[CandidateReader]:
    """Microdata of a link is where it leads; its text says what it is."""
    first_key = path.split(".")[0]
    reader = Reader(src=Source.CSS, at=f'[itemprop="{first_key}"]', kin=Kin.MICRO)
    value = read(reader, Scope(document), spec)
    if value is not None and not is_address(value, spec):
        yield CandidateReader(reader, prior, 1.0)


def _sums(
    document: Document, root: str, words: Words, spec: FieldSpec, prior: float
) -> Iterator[CandidateReader]:
    """A duration no property gives, as the sum of its parts."""
    for path in words.properties:
        if path not in SUMS:
            continue
        reader = _sum_reader(root, path)
        if read(reader, Scope(document), spec) is not None:
            yield CandidateReader(reader, prior, 1.0)


def _sum_reader(root: str, path: str) -> Reader:
    """The reader of the parts of a duration, added up."""
    at = join_path(root, (SUMS[path],))
    pipe = (Step(op=Op.SUM, args=("minutes",)),)
    return Reader(src=Source.JSON, at=at, get="value", pipe=pipe, kin=json_kin(at))


# -- fields that no known page shows --


def vocabulary_candidates(
    spec: FieldSpec, main: Sequence[str]
) -> list[CandidateReader]:
    """Readers for a field no known page shows: the properties the vocabulary names, and
    labels for what has a unit."""
    words = words_of(spec)
    found: list[CandidateReader] = []
    for root in main[:1]:
        found.extend(_unseen_properties(root, spec, words))
    if spec.kind is FieldKind.MINUTES:
        for rank, label in enumerate(_labels(spec, words)):
            reader = Reader(src=Source.LABEL, at=label, get="block", kin=Kin.LABEL)
            prior = (
                tuned("structured.unseen_label")
                - tuned("structured.less_per_label") * rank
            )
            found.append(CandidateReader(reader, prior, 1.0))
    return found


def _unseen_properties(
    root: str, spec: FieldSpec, words: Words
) -> Iterator[CandidateReader]:
    """Readers of the properties of one root that a page to come may have."""
    for rank, path in enumerate(words.vocabulary[:_MOST_UNSEEN]):
        pipe = pipe_for([], _last_key(path), spec)
        reader = _plain_reader(root, path, spec).model_copy(update={"pipe": pipe})
        prior = (
            tuned("structured.unseen_property")
            - tuned("structured.less_per_property") * rank
        )
        yield CandidateReader(reader, prior, 1.0)
        if path in SUMS:
            sum_prior = tuned("structured.unseen_property") - tuned(
                "structured.less_for_sum"
            )
            yield CandidateReader(_sum_reader(root, path), sum_prior, 1.0)


def _labels(spec: FieldSpec, words: Words) -> tuple[str, ...]:
    """What a label of the field may be: its name, what else it is called, what the
    vocabulary calls it."""
    own = list(map(letters, (spec.name, *spec.aliases)))
    long_words = {letters(word) for word in words.known if len(word) > _LONG_WORD}
    known = sorted(words.joined | long_words)
    return tuple(dict.fromkeys((*own, *known)))[:_MOST_LABELS]
