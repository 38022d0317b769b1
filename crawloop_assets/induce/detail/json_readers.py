"""Candidates that read a page's JSON: one value, or a whole list."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.steps import STEP_READERS
from crawloop_assets.induce.detail.headings import heading_pipe
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.fit import (
    SPLIT,
    Pipe,
    fit,
    is_tags,
    item_spec,
    split_fit,
)
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.induce.words.vocabulary import PROPERTIES
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import plain
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

_DEDUPE = Step(op=Op.DEDUPE)
# The whole text of a tree of steps is preferred: it loses nothing.
_STEPS_TRUST = {"steps+names": 0.03, "steps+sections": 0.02, "steps": 0.01}


def json_candidates(
    index: Index, value: Value, spec: FieldSpec, context: FieldContext
) -> list[CandidateReader]:
    """Readers of a page's JSON that give the value."""
    document, single = index.document, item_spec(spec)
    wanted = letters(str(value))
    found: list[CandidateReader] = []
    for path, texts in document.leaves.items():
        for at, text in enumerate(texts[:6]):
            if len(text) > 3 * len(wanted) + 200 or not _may_be(text, wanted, single):
                continue
            pipe = fit(plain(text), value, single, document.base_url)
            if pipe is None:
                continue
            if at == 0 or "[*]" in path:
                found.append(_candidate(index, path, at, pipe, context))
            break
    kept = best(found, 32)
    return [
        each
        for each in kept
        if same(read(each.reader, Scope(document), single), value, single)
    ][:16]


def _may_be(text: str, wanted: str, spec: FieldSpec) -> bool:
    if spec.kind is FieldKind.CHOICE:
        return len(text) < 80
    if spec.kind is FieldKind.TEXT:
        if len(text) < 0.5 * len(wanted):
            return False
        if not wanted:
            return len(text) <= 40
        return (
            len(wanted) > 400
            or wanted[:12] in letters(text)
            or text[:4].strip().isdigit()
        )
    if spec.kind is FieldKind.URL:
        return "/" in text
    return len(text) < 400 and any(char.isdigit() for char in text)


def _candidate(
    index: Index, path: str, at: int, pipe: Pipe, context: FieldContext
) -> CandidateReader:
    """A reader of the first value of a path, or of its at-th list item."""
    prior, share = json_prior(path, context.words, index.main)
    if at:
        start, _, end = path.rpartition("[*]")
        path, prior = f"{start}[{at}]{end}", 0.6 * prior
    if pipe and pipe[-1].op is Op.TEMPLATE and not share:
        prior *= 0.3
    reader = Reader(
        src=Source.JSON, at=path, get="value", pipe=pipe, kin=json_kin(path)
    )
    return CandidateReader(reader, prior * context.trust(pipe), share)


def json_kin(path: str) -> Kin:
    """The kin of a JSON path."""
    return (
        Kin.JSONLD
        if path.startswith("ld:")
        else Kin.MICRO
        if path.startswith(("md:", "rdfa:"))
        else Kin.JSON
    )


@lru_cache(maxsize=65536)
def json_prior(path: str, words: Words, main: tuple[str, ...]) -> tuple[float, float]:
    """Trust in a JSON path, and how well its keys name the field."""
    root, *keys = [key for key in path.replace("[*]", "").split(".") if key]
    linked = root.startswith(("ld:", "md:", "rdfa:"))
    base = (1.0 if root == main[0] else 0.8) if root in main else 0.7
    if root.startswith(("md:", "rdfa:")):
        base -= 0.05
    if ".".join(keys) in words.properties:
        return base + 0.2 - 0.01 * len(keys), 1.0
    if linked and ".".join(keys) in PROPERTIES:
        return max(
            0.05, base - 0.5
        ), 0.0  # the vocabulary says that this is another field
    share = max((words.share(tokens(key)) for key in keys[-1:]), default=0.0)
    if len(keys) > 1:
        share = max(share, 0.9 * words.share(tokens(keys[-2])))
    strange = 0.2 * (len(keys) - 1) if linked else 0.02 * len(keys)
    digits = 0.25 if any(char.isdigit() for key in keys for char in key) else 0.0
    unnamed = 0.0 if share >= 0.9 else 0.3
    return max(0.05, base - 0.1 + 0.2 * share - strange - digits - unnamed), 0.8 * share


def json_list_candidates(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> list[CandidateReader]:
    """Readers of a page's JSON that give the whole list."""
    document = index.document
    wanted, first = list(values), letters(str(values[0]))[:16] if values else ""
    if not first:
        return []
    scope, found = Scope(document), []
    lasting = heading_pipe(values, spec)
    for path, texts in document.leaves.items():
        if not any(first in letters(text) for text in texts[:3] if len(text) < 50_000):
            continue
        prior, share = json_prior(path, context.words, index.main)
        kin = json_kin(path)
        for pipe in _pipes(texts, wanted, spec, document.base_url):
            reader = Reader(
                src=Source.JSON, at=path, get="value", pipe=(*pipe, *lasting), kin=kin
            )
            if same(read(reader, scope, spec), wanted, spec):
                found.append(
                    CandidateReader(reader, prior * context.trust(pipe), share)
                )
        for get in (
            STEP_READERS if spec.kind is FieldKind.TEXT and len(wanted) > 1 else ()
        ):
            reader = Reader(
                src=Source.JSON, at=path.split("[*]")[0], get=get, pipe=lasting, kin=kin
            )
            if same(read(reader, scope, spec), wanted, spec):
                found.append(CandidateReader(reader, prior + _STEPS_TRUST[get], share))
    return best(found, 12)


def _pipes(
    texts: list[str], values: list[Value], spec: FieldSpec, base_url: str
) -> Iterator[Pipe]:
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
