"""Readers of what a page says of itself outside its structured data: meta tags and its
only first-level heading."""

from collections.abc import Iterator

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.statements import (
    is_address,
    is_title,
    pipe_for,
    pipe_without_site,
)
from crawloop_assets.induce.detail.title import is_of_site
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.schema import FieldSpec, Shape

_CHOSEN = "og:image"
# `content` is the attribute meant; pages also write `value`, which readers of such
# pages understand as well.
_FORMS = (
    ("property", "@content"),
    ("name", "@content"),
    ("property", "@value"),
    ("name", "@value"),
)
_TAGS = frozenset(("keywords", "news_keywords", "article:tag", "parsely-tags"))


def meta_candidates(
    document: Document, spec: FieldSpec, words: Words
) -> Iterator[CandidateReader]:
    """Readers of the meta tags that the vocabulary names for a field."""
    for rank, name in enumerate(words.meta):
        prior = tuned("meta_tags.image" if name == _CHOSEN else "meta_tags.trust")
        for attribute, get in _FORMS:
            at = f'meta[{attribute}="{name}"]'
            reader = _reader(document, at, get, _list_name(name, spec), spec, words)
            if reader is not None:
                yield CandidateReader(
                    reader, prior - tuned("meta_tags.less_per_rank") * rank, 1.0
                )


def _list_name(name: str, spec: FieldSpec) -> str:
    """What statements of tags are called whose items are written as a meta tag's; ""
    for texts."""
    if spec.shape is Shape.SET:
        return "keywords"
    if spec.shape is Shape.LIST and name in _TAGS:
        return "keywords"
    return ""  # texts are left whole


def _reader(
    document: Document, at: str, get: str, name: str, spec: FieldSpec, words: Words
) -> Reader | None:
    """The reader of a meta tag; None if it does not say the field."""
    scope = Scope(document)
    reader = Reader(src=Source.CSS, at=at, get=get, kin=Kin.META)
    texts = read_texts(reader, scope)
    if not texts:
        return None
    pipe = pipe_for(texts, name, spec)
    pipe = pipe or pipe_without_site(document, texts, spec, words)
    reader = reader.model_copy(update={"pipe": pipe})
    value = read(reader, scope, spec)
    if value is None or is_address(value, spec):
        return None
    return reader


def heading_candidates(
    document: Document, spec: FieldSpec, words: Words
) -> Iterator[CandidateReader]:
    """The only first-level heading is the title of the thing, without the site's name
    that meta tags often carry."""
    headings = document.by_tag.get("h1", ())
    if spec.shape is not Shape.ONE or not is_title(words):
        return
    if len(headings) != 1 or is_of_site(document, headings[0]):
        return
    if document.text(headings[0]):
        reader = Reader(src=Source.CSS, at="h1", kin=Kin.TAG)
        yield CandidateReader(reader, tuned("meta_tags.heading_trust"), 1.0)
