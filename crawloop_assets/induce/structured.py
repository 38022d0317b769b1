"""Reading with no example at all: what schema.org, OpenGraph and meta tags say under names the vocabulary knows."""

from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.extraction import Value
from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.candidate import Candidate
from crawloop_assets.induce.json_readers import json_kin
from crawloop_assets.induce.vocabulary import JOINED, SIDE_TYPES, SPLIT, STEPS
from crawloop_assets.induce.words import Words, words_of
from crawloop_assets.schema import FieldSpec, Kind, RecordSchema, Shape

_DIALECT_TRUST = {"ld": 1.15, "md": 1.0, "rdfa": 0.9}
_META_TRUST = {"og:image": 1.25}  # what the publisher chose to stand for the page; linked data lists crops of it
_MOST_PER_ROOT = 2
_BLOCK = 250


def structured_candidates(document: Document, spec: FieldSpec, main: Sequence[str]) -> list[Candidate]:
    """Readers of a page's structured data for one field, best first. `main`: the roots the record is read from."""
    words = words_of(spec)
    found: list[Candidate] = []
    for rank, root in enumerate(main):
        trust = _DIALECT_TRUST[root.split(":")[0]] - 0.25 * min(rank, 2)
        found.extend(_of_root(document, root, spec, words, trust))
    found.extend(_of_meta(document, spec, words))
    found.extend(_of_heading(document, spec, words))
    return sorted(found, key=lambda each: (-round(each.prior, 6), each.key))


def vocabulary_candidates(spec: FieldSpec, main: Sequence[str]) -> list[Candidate]:
    """Readers for a field no known page shows: the properties the vocabulary names, and labels for what has a unit."""
    words = words_of(spec)
    found = []
    for root in main[:1]:
        for rank, path in enumerate(words.vocabulary[:3]):
            at = f"{root}.{path}"
            get = "steps+names" if path in STEPS and spec.shape is not Shape.ONE else "value"
            pipe = _pipe([], path, spec)
            reader = Reader(src=Source.JSON, at=at, get=get, pipe=pipe, kin=json_kin(at))
            found.append(Candidate(reader, 0.9 - 0.05 * rank, 1.0))
    if spec.kind is Kind.MINUTES:
        for label in sorted(words.joined):
            reader = Reader(src=Source.LABEL, at=label, get="next", kin=Kin.LABEL)
            found.append(Candidate(reader, 0.7, 1.0))
    return found


def main_roots(documents: Sequence[Document], schema: RecordSchema) -> tuple[str, ...]:
    """The structured roots that describe what the page is about: those that fill most fields of the schema."""
    filled: dict[str, int] = {}
    for document in documents:
        for root in document.roots:
            dialect, _, kind = root.partition(":")
            if dialect in _DIALECT_TRUST and kind not in SIDE_TYPES:
                filled[root] = filled.get(root, 0) + sum(_fills(document, root, spec) for spec in schema.fields)
    best = max(filled.values(), default=0)
    kept = [root for root, count in filled.items() if count >= max(1, 0.5 * best)]
    order = list(_DIALECT_TRUST)
    return tuple(sorted(kept, key=lambda root: (-filled[root], order.index(root.split(":")[0]), root))[:4])


def _fills(document: Document, root: str, spec: FieldSpec) -> bool:
    return any(document.json_nodes(f"{root}.{path}") for path in words_of(spec).properties)


def _of_root(document: Document, root: str, spec: FieldSpec, words: Words, trust: float) -> Iterator[Candidate]:
    taken = 0
    for rank, path in enumerate(words.properties):
        if taken >= _MOST_PER_ROOT:
            return
        at = f"{root}.{path}"
        if not document.json_nodes(at):
            continue
        get = "steps+names" if path in STEPS and spec.shape is not Shape.ONE else "value"
        plain = Reader(src=Source.JSON, at=at, get=get, kin=json_kin(at))
        reader = plain.model_copy(update={"pipe": _pipe(read_texts(plain, Scope(document)), path, spec)})
        value = read(reader, Scope(document), spec)
        if value is not None and not _is_one_block(value, spec):
            taken += 1
            yield Candidate(reader, trust - 0.03 * rank, 1.0)


def _is_one_block(value: Value, spec: FieldSpec) -> bool:
    """True for a list that is one long text: the page does not say where its items end."""
    return spec.shape is Shape.LIST and len(value) == 1 and len(str(value[0])) > _BLOCK


def _pipe(texts: list[str], path: str, spec: FieldSpec) -> tuple[Step, ...]:
    last = path.rsplit(".", 1)[-1]
    if spec.kind is not Kind.TEXT:
        return ()
    if spec.shape is not Shape.ONE:
        return (Step(op=Op.SPLIT, args=(",",)),) if last in SPLIT else ()
    return (Step(op=Op.JOIN, args=(", ",)),) if last in JOINED and len(texts) > 1 else ()


def _of_meta(document: Document, spec: FieldSpec, words: Words) -> Iterator[Candidate]:
    for rank, name in enumerate(words.meta):
        for attribute in ("property", "name"):
            reader = Reader(src=Source.CSS, at=f'meta[{attribute}="{name}"]', get="@content", kin=Kin.META)
            texts = read_texts(reader, Scope(document))
            if not texts:
                continue
            pipe = _pipe(texts, "keywords" if spec.shape is not Shape.ONE else "", spec)
            reader = reader.model_copy(update={"pipe": pipe})
            if read(reader, Scope(document), spec) is not None:
                yield Candidate(reader, _META_TRUST.get(name, 0.7) - 0.04 * rank, 1.0)


def _of_heading(document: Document, spec: FieldSpec, words: Words) -> Iterator[Candidate]:
    """The only first-level heading is the title of the thing, without the site's name that meta tags often carry."""
    if "og:title" in words.meta and spec.shape is Shape.ONE and len(document.by_tag.get("h1", ())) == 1:
        yield Candidate(Reader(src=Source.CSS, at="h1", kin=Kin.TAG), 0.75, 1.0)


def structured_values(document: Document, schema: RecordSchema, main: Sequence[str]) -> dict[str, Value]:
    """What the best structured reader says of every field."""
    found: dict[str, Value] = {}
    for spec in schema.fields:
        for candidate in structured_candidates(document, spec, main)[:1]:
            value = read(candidate.reader, Scope(document), spec)
            if value is not None:
                found[spec.name] = value
    return found
