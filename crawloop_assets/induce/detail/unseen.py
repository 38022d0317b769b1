"""Labels that pages to come may have beside a field that no known page shows.

Only where the form of a value tells it from whatever else stands beside such a label:
the sign of a currency, the digits of a code. (Those of durations, which have a unit, are
among `vocabulary_candidates`.)
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.field_texts import FieldTexts
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.notation import said_language
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.induce.words.shop_labels import CODE_LABELS, PRICE_LABELS
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters

_AMOUNT = r"\d[\d.,'\u00a0\u202f ]{0,14}"
_SIGN = r"[$€£¥₹₽₩₺₪฿₫₴]|\b(?:zł|Kč|lei|kr)\b"
_MONEY = rf"^(?:{_SIGN})\s?{_AMOUNT}|^{_AMOUNT}(?:{_SIGN})"  # not "from 20 €"
_CODE = r"^[\w./ -]{0,20}\d[\w./-]{0,20}$"
_ENGLISH = "en"

_ByLanguage = Mapping[str, tuple[str, ...]]


def unseen_labels(
    spec: FieldSpec, documents: Sequence[Document]
) -> list[CandidateReader]:
    """Readers beside labels that none of the pages need have, the likeliest first; none
    for a field whose values have no form of their own."""
    words = words_of(spec)
    field = FieldTexts(spec, words)
    if not field.is_single:
        return []
    if field.is_currency:
        return _of_shops(PRICE_LABELS, (_MONEY, _SIGN), documents)
    if "offers.price" in words.vocabulary:
        return _of_shops(PRICE_LABELS, (_MONEY,), documents)
    for name in words.vocabulary:
        if name in CODE_LABELS:
            return _of_shops(CODE_LABELS[name], (_CODE,), documents)
    return []


def _of_shops(
    labels: _ByLanguage, forms: Sequence[str], documents: Sequence[Document]
) -> list[CandidateReader]:
    """Readers beside what shops write in the language of the pages, of what is cut out by
    forms in turn; in English where the pages do not say their language."""
    language = next(filter(None, map(said_language, documents)), _ENGLISH)
    pipe = tuple(Step(op=Op.REGEX, args=(form,)) for form in forms)
    return list(_beside(map(letters, labels.get(language, ())), pipe))


def _beside(labels: Iterable[str], pipe: tuple[Step, ...]) -> Iterator[CandidateReader]:
    """Readers of what stands beside labels, given by their letters."""
    for rank, label in enumerate(labels):
        reader = Reader(
            src=Source.LABEL, at=label, get="block", pipe=pipe, kin=Kin.LABEL
        )
        prior = tuned("structured.unseen_label")
        prior -= tuned("structured.less_per_label") * rank
        yield CandidateReader(reader, prior, 1.0)
