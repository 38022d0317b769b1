"""Words that are a page's own: "Cedar Hall," before the town of one page is the hall of that
page, and no label of towns; "Halle · Vollzeit" before the pay is the town and the hours."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, texts_among

_CUTS = (Op.STRIP_PREFIX, Op.STRIP_SUFFIX, Op.AFTER, Op.BEFORE, Op.BETWEEN)
_SHORTEST = 4  # letters; fewer are in many a word


class OwnWords:
    """What each of some pages says, and what is known of some of them, by its letters."""

    def __init__(
        self, documents: Sequence[Document], rows: Mapping[int, Mapping[str, Value]]
    ):
        """Nothing is looked at yet."""
        self._documents, self._rows = documents, rows

    def lead(self, reader: Reader, spec: FieldSpec) -> bool:
        """Whether what a reader cuts off, or stands behind, are words of a page: they have in
        them what another field is known to be, and not all pages say them; or the
        field is one that every page has, and few of enough pages say them."""
        words = filter(_is_long, _leading(reader))
        return any(map(partial(self._are_own, spec=spec), words))

    def _are_own(self, words: str, spec: FieldSpec) -> bool:
        """Whether some words before or behind a value are a page's own."""
        share = sum(map(partial(_has, words), self._forms)) / len(self._forms)
        is_known_well = len(self._forms) > tuned("few_words.fewest_again")
        least = tuned("own_words.fewest") * (spec.required and is_known_well)
        holds = any(map(words.__contains__, self._known_but(spec.name)))
        return 0 < share <= least or (holds and share < 1)

    def _known_but(self, name: str) -> Iterator[str]:
        """The letters of what is known of all other fields."""
        rows = (dict(row, **{name: None}) for row in self._rows.values())
        values = chain.from_iterable(map(dict.values, rows))
        return filter(_is_long, map(letters, texts_among(values)))

    @cached_property
    def _forms(self) -> list[str]:
        """The letters of the pages: of what is to be read there, and of all that is written
        in them, as addresses have words as well."""
        texts = (one.whole.text for one in self._documents)
        written = (one.page.text for one in self._documents)
        return [
            letters(f"{text} {body}") for text, body in zip(texts, written, strict=True)
        ]


def _is_long(words: str) -> bool:
    """Whether some letters are in no word by chance."""
    return len(words) >= _SHORTEST


def _has(words: str, form: str) -> bool:
    """Whether some letters are among those of a page."""
    return words in form


def _leading(reader: Reader) -> Iterator[str]:
    """The letters of the words that lead to what is read."""
    if reader.src is Source.LABEL:
        yield reader.at
    for step in reader.pipe:
        if step.op in _CUTS:
            yield from map(letters, map(str, step.args))
