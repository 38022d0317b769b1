"""Labels that pages to come may have beside a field that no known page shows.

Only where the form of a value tells it from whatever else stands beside such a label:
the sign of a currency, the digits of a code. (Those of durations, which have a unit, are
among `vocabulary_candidates`.)
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.notation import said_language
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.induce.words.shop_labels import CODE_LABELS, PRICE_LABELS
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.numbers import NUMERAL_MARKS
from crawloop_assets.values.text import letters

_AMOUNT = rf"\d[\d{NUMERAL_MARKS}'\u00a0\u202f ]{{0,14}}"
_SIGN = r"[$€£¥₹₽₩₺₪฿₫₴]|\b(?:zł|Kč|lei|kr)\b"
_MONEY = rf"^(?:{_SIGN})\s?{_AMOUNT}|^{_AMOUNT}(?:{_SIGN})"  # not "from 20 €"
_CODE = r"^[\w./ -]{0,20}\d[\w./-]{0,20}$"
_ENGLISH = "en"

_Written = tuple[Mapping[str, tuple[str, ...]], tuple[str, ...]]
_NONE: _Written = ({}, ())
_FORMS: Mapping[str, _Written] = {
    "offers.price": (PRICE_LABELS, (_MONEY,)),
    "offers.priceCurrency": (PRICE_LABELS, (_MONEY, _SIGN)),
    "mpn": (CODE_LABELS["mpn"], (_CODE,)),
    "gtin13": (CODE_LABELS["gtin13"], (_CODE,)),
}
"""Property -> its labels by language, and the forms that its value is cut out by in turn."""


def unseen_labels(
    spec: FieldSpec, documents: Sequence[Document]
) -> list[CandidateReader]:
    """Readers beside what shops write in the language of the pages, which none of them
    need have, the likeliest first; in English where the pages do not say their language,
    and none for a field whose values have no form of their own."""
    _, forms = _of_shops(spec)
    pipe = tuple(Step(op=Op.REGEX, args=(form,)) for form in forms)
    return list(_beside(written_by_shops(spec, documents), pipe))


def written_by_shops(spec: FieldSpec, documents: Sequence[Document]) -> list[str]:
    """The letters of what shops write before the value of a field, in the language of
    the pages, or in English."""
    labels, _ = _of_shops(spec)
    language = next(filter(None, map(said_language, documents)), _ENGLISH)
    return list(map(letters, labels.get(language, ())))


def _of_shops(spec: FieldSpec) -> _Written:
    """What shops write before a field, by language, and the forms of its values; nothing
    for most fields, and for a list."""
    named = filter(_FORMS.__contains__, words_of(spec).vocabulary)
    return _FORMS.get(next(named, ""), _NONE) if spec.shape is Shape.ONE else _NONE


def _beside(labels: Iterable[str], pipe: tuple[Step, ...]) -> Iterator[CandidateReader]:
    """Readers of what stands beside labels, given by their letters."""
    for rank, label in enumerate(labels):
        reader = Reader(
            src=Source.LABEL, at=label, get="block", pipe=pipe, kin=Kin.LABEL
        )
        prior = tuned("structured.unseen_label")
        prior -= tuned("structured.less_per_label") * rank
        yield CandidateReader(reader, prior, 1.0)
