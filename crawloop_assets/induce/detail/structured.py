"""Reading with no example at all: what schema.org, OpenGraph and meta tags say under
names the vocabulary knows."""

import re
from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import join_path
from crawloop_assets.induce.detail.json_readers import json_kin
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import names_site, site_of
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.induce.words.vocabulary import (
    COMMA_SEPARATED,
    JOINED,
    SIDE_TYPES,
    STEPS,
    SUMS,
)
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_DIALECT_TRUST = {"ld": 1.15, "md": 1.0, "rdfa": 0.9}
_META_TRUST = {
    "og:image": 1.25
}  # what the publisher chose to stand for the page; linked data lists crops of it
_MOST_PER_ROOT = 2
_BLOCK = 250
_MOST_LABELS = 30
_WORD = 6  # "prep" and "time" stand in many labels, "kochzeit" is one


def structured_candidates(
    document: Document, spec: FieldSpec, main: Sequence[str]
) -> list[CandidateReader]:
    """Readers of a page's structured data for one field, best first.

    `main`: the roots the record is read from.
    """
    words = words_of(spec)
    found: list[CandidateReader] = []
    for rank, root in enumerate(main):
        trust = _DIALECT_TRUST[root.split(":")[0]] - 0.25 * min(rank, 2)
        found.extend(_of_root(document, root, spec, words, trust))
    found.extend(_of_meta(document, spec, words))
    found.extend(_of_heading(document, spec, words))
    return sorted(found, key=lambda each: (-round(each.prior, 6), each.key))


def vocabulary_candidates(
    spec: FieldSpec, main: Sequence[str]
) -> list[CandidateReader]:
    """Readers for a field no known page shows: the properties the vocabulary names, and
    labels for what has a unit."""
    words = words_of(spec)
    found = []
    for root in main[:1]:
        for rank, path in enumerate(words.vocabulary[:3]):
            at = f"{root}.{path}"
            get = (
                "steps+names"
                if path in STEPS and spec.shape is not Shape.ONE
                else "value"
            )
            pipe = _pipe([], path, spec)
            reader = Reader(
                src=Source.JSON, at=at, get=get, pipe=pipe, kin=json_kin(at)
            )
            found.append(CandidateReader(reader, 0.9 - 0.05 * rank, 1.0))
            if path in SUMS:
                found.append(CandidateReader(_sum_reader(root, path), 0.9 - _SUM, 1.0))
    if spec.kind is FieldKind.MINUTES:
        for rank, label in enumerate(_labels(spec, words)):
            reader = Reader(src=Source.LABEL, at=label, get="block", kin=Kin.LABEL)
            found.append(CandidateReader(reader, 0.7 - 0.005 * rank, 1.0))
    return found


def _labels(spec: FieldSpec, words: Words) -> tuple[str, ...]:
    """What a label of the field may be: its name, what else it is called, what the
    vocabulary calls it."""
    own = [letters(name) for name in (spec.name, *spec.aliases)]
    known = sorted(
        words.joined | {letters(word) for word in words.known if len(word) > _WORD}
    )
    return tuple(dict.fromkeys((*own, *known)))[:_MOST_LABELS]


def main_roots(documents: Sequence[Document], schema: RecordSchema) -> tuple[str, ...]:
    """The structured roots that describe what the page is about: those that fill most
    fields of the schema."""
    filled: dict[str, int] = {}
    for document in documents:
        for root in document.roots:
            dialect, _, kind = root.partition(":")
            if dialect in _DIALECT_TRUST and kind not in SIDE_TYPES:
                filled[root] = filled.get(root, 0) + sum(
                    _fills(document, root, spec) for spec in schema.fields
                )
    best = max(filled.values(), default=0)
    kept = [root for root, count in filled.items() if count >= max(1, 0.5 * best)]
    order = list(_DIALECT_TRUST)
    return tuple(
        sorted(
            kept,
            key=lambda root: (-filled[root], order.index(root.split(":")[0]), root),
        )[:4]
    )


def _fills(document: Document, root: str, spec: FieldSpec) -> bool:
    return any(
        document.json_nodes(f"{root}.{path}") for path in words_of(spec).properties
    )


def _of_root(
    document: Document, root: str, spec: FieldSpec, words: Words, trust: float
) -> Iterator[CandidateReader]:
    taken = 0
    for rank, path in enumerate(words.properties):
        if taken >= _MOST_PER_ROOT:
            return
        at = f"{root}.{path}"
        if not document.json_nodes(at):
            continue
        get = (
            "steps+names" if path in STEPS and spec.shape is not Shape.ONE else "value"
        )
        plain = Reader(src=Source.JSON, at=at, get=get, kin=json_kin(at))
        texts = read_texts(plain, Scope(document))
        pipe = _pipe(texts, path, spec) or _without_site(document, texts, spec, words)
        reader = plain.model_copy(update={"pipe": pipe})
        value = read(reader, Scope(document), spec)
        if value is None or _is_one_block(value, spec):
            continue
        if _is_elsewhere(value, spec):
            yield from _shown(document, path, spec, trust - 0.03 * rank)
            continue
        taken += 1
        yield CandidateReader(reader, trust - 0.03 * rank, 1.0)
    if spec.kind is FieldKind.MINUTES:
        for path in words.properties:
            yield from _sum(document, root, path, spec, trust - _SUM)


_SUM = 0.5
_ADDRESS = re.compile(r"(?:https?://|/|#)\S*")


def _is_elsewhere(value: Value, spec: FieldSpec) -> bool:
    """True for a url, a path or a fragment where a text is wanted: it leads to what is
    meant and is not it."""
    items = value if isinstance(value, list) else [value]
    return spec.kind is FieldKind.TEXT and all(
        _ADDRESS.fullmatch(str(item)) for item in items
    )


def _shown(
    document: Document, path: str, spec: FieldSpec, trust: float
) -> Iterator[CandidateReader]:
    """Microdata of a link is where it leads; its text says what it is."""
    reader = Reader(
        src=Source.CSS, at=f'[itemprop="{path.split(".")[0]}"]', kin=Kin.MICRO
    )
    value = read(reader, Scope(document), spec)
    if value is not None and not _is_elsewhere(value, spec):
        yield CandidateReader(reader, trust, 1.0)


def _sum(
    document: Document, root: str, path: str, spec: FieldSpec, trust: float
) -> Iterator[CandidateReader]:
    """A duration no property gives, as the sum of its parts."""
    if path in SUMS:
        reader = _sum_reader(root, path)
        if read(reader, Scope(document), spec) is not None:
            yield CandidateReader(reader, trust, 1.0)


def _sum_reader(root: str, path: str) -> Reader:
    at = join_path(root, (SUMS[path],))
    return Reader(
        src=Source.JSON,
        at=at,
        get="value",
        pipe=(Step(op=Op.SUM_MINUTES),),
        kin=json_kin(at),
    )


def _is_one_block(value: Value, spec: FieldSpec) -> bool:
    """True for a list that is one long text: the page does not say where its items
    end."""
    return (
        spec.shape is Shape.LIST
        and isinstance(value, list)
        and len(value) == 1
        and len(str(value[0])) > _BLOCK
    )


def _pipe(texts: list[str], path: str, spec: FieldSpec) -> tuple[Step, ...]:
    last = path.rsplit(".", 1)[-1]
    if spec.kind is not FieldKind.TEXT:
        return ()
    if spec.shape is not Shape.ONE:
        return (Step(op=Op.SPLIT, args=(",",)),) if last in COMMA_SEPARATED else ()
    return (
        (Step(op=Op.JOIN, args=(", ",)),) if last in JOINED and len(texts) > 1 else ()
    )


def _of_meta(
    document: Document, spec: FieldSpec, words: Words
) -> Iterator[CandidateReader]:
    for rank, name in enumerate(words.meta):
        for attribute, get in _META_FORMS:
            reader = Reader(
                src=Source.CSS, at=f'meta[{attribute}="{name}"]', get=get, kin=Kin.META
            )
            texts = read_texts(reader, Scope(document))
            if not texts:
                continue
            is_tags = spec.shape is Shape.SET or (
                spec.shape is Shape.LIST and name in _TAGS
            )
            pipe = _pipe(texts, "keywords" if is_tags else "", spec)
            pipe = pipe or _without_site(document, texts, spec, words)
            reader = reader.model_copy(update={"pipe": pipe})
            value = read(reader, Scope(document), spec)
            if value is not None and not _is_elsewhere(value, spec):
                yield CandidateReader(
                    reader, _META_TRUST.get(name, 0.7) - 0.04 * rank, 1.0
                )


# `content` is the attribute meant; pages also write `value`, which readers of such pages understand as well.
_META_FORMS = (
    ("property", "@content"),
    ("name", "@content"),
    ("property", "@value"),
    ("name", "@value"),
)
_BEFORE_SITE = re.compile(r"(?:\s[|｜–—·:•»-]{1,2}|:)\s")
_TAGS = frozenset(("keywords", "news_keywords", "article:tag", "parsely-tags"))


def _without_site(
    document: Document, texts: list[str], spec: FieldSpec, words: Words
) -> tuple[Step, ...]:
    """The step that cuts the site's name off the end of a title."""
    if "og:title" not in words.meta or spec.shape is not Shape.ONE or not texts:
        return ()
    cut = next(reversed(list(_BEFORE_SITE.finditer(texts[0]))), None)
    if (
        not cut
        or not cut.start()
        or not names_site(texts[0][cut.end() :], site_of(document))
    ):
        return ()
    return (Step(op=Op.STRIP_SUFFIX, args=(texts[0][cut.start() :].rstrip(),)),)


def _of_heading(
    document: Document, spec: FieldSpec, words: Words
) -> Iterator[CandidateReader]:
    """The only first-level heading is the title of the thing, without the site's name
    that meta tags often carry."""
    if (
        "og:title" in words.meta
        and spec.shape is Shape.ONE
        and len(document.by_tag.get("h1", ())) == 1
    ):
        yield CandidateReader(Reader(src=Source.CSS, at="h1", kin=Kin.TAG), 0.75, 1.0)


def structured_values(
    document: Document, schema: RecordSchema, main: Sequence[str]
) -> dict[str, Value]:
    """What the best structured reader says of every field."""
    found: dict[str, Value] = {}
    for spec in schema.fields:
        for candidate in structured_candidates(document, spec, main)[:1]:
            value = read(candidate.reader, Scope(document), spec)
            if value is not None:
                found[spec.name] = value
    return found
