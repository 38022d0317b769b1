"""Lists that pages write as links in a line behind a label: "Genres: Crime | Drama"."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, transformed_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import label_elements
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import label_forms, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

_LONGEST = 60  # characters of an item; longer links are sentences
_MOST_PLACES = 50  # of one label
_AT_SIGNS = tuple(Step(op=Op.SPLIT, args=(sign,)) for sign in ",;|·•")


def link_list_candidates(
    spec: FieldSpec, documents: Sequence[Document]
) -> list[CandidateReader]:
    """Readers of what stands behind a label of a list of texts, where on every page it
    is links with signs between them."""
    found: list[CandidateReader] = []
    if spec.shape is not Shape.LIST or spec.kind is not FieldKind.TEXT:
        return found
    trust = tuned("labels.named")
    for label in dict.fromkeys(label_forms(words_of(spec))):
        readers = (_reader(label, get) for get in ("block", "same"))
        good = filter(partial(_reads_links, documents), readers)
        found += [CandidateReader(reader, trust, 1.0) for reader in islice(good, 1)]
    return found


def _reader(label: str, get: str) -> Reader:
    """The reader of what stands behind a label, parted at signs."""
    return Reader(src=Source.LABEL, at=label, get=get, pipe=_AT_SIGNS, kin=Kin.LABEL)


def _reads_links(documents: Sequence[Document], reader: Reader) -> bool:
    """True if all that is read of all pages is the texts of links. A label that is a
    link itself is a way to another page, and a link alone beside its label may be one of
    several."""
    return all(_is_links(reader, document) for document in documents)


def _is_links(reader: Reader, document: Document) -> bool:
    """True if all that is read of a page is the texts of links."""
    texts = transformed_texts(reader, Scope(document))
    is_long = max(map(len, texts), default=_LONGEST) >= _LONGEST
    if is_long or _is_linked(document, reader.at):
        return False
    blocks = label_elements(document, reader.at, reader.get, None)
    return texts == [text for block in blocks for text in _links(document, block)]


def _is_linked(document: Document, label: str) -> bool:
    """True for a label that stands in a link somewhere on the page."""
    pieces = document.labels.get(label, [])[:_MOST_PLACES]
    holders = map(document.piece_parent, pieces)
    around = ((holder, *document.ancestors(holder)) for holder in holders)
    return any(document.tags[number] == "a" for number in chain.from_iterable(around))


def _links(document: Document, block: int) -> Iterator[str]:
    """The texts of the links inside an element."""
    for number in range(block + 1, document.end[block]):
        if document.tags[number] == "a" and document.text(number):
            yield document.text(number)
