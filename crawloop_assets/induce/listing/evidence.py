"""How strongly a text of a page is evidence that a known value is read there."""

from collections.abc import Callable, Iterable

from crawloop_assets.induce.locate.fit import fit, has_digit, item_spec
from crawloop_assets.induce.locate.flags import behind_labels
from crawloop_assets.induce.locate.regrouped import clock_letters
from crawloop_assets.induce.trust import tuned, tuned_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.signs import counted_signs
from crawloop_assets.values.text import letters
from crawloop_assets.values.truths import is_said, truth_is
from crawloop_assets.values.value import Value

_FEW_CHARACTERS = 40
_MOST_OF_TYPED = 600
"""Characters of a text that may still be a number or a date as a whole."""
_MOST_AROUND_TYPED = 400
"""Characters of a text among whose numbers or dates the value may be."""
_MOST_AROUND_ITEMS = 600
_URL_START = 12
"""Characters of a url's last segment that a link must share before it is parsed."""
_URL_ATTRIBUTES = ("@on", "@data", "@href")
"""Starts of attributes that may mention a url among other things."""
_PARSED = frozenset(
    (
        FieldKind.NUMBER,
        FieldKind.INTEGER,
        FieldKind.MINUTES,
        FieldKind.BOOLEAN,
        FieldKind.DATE,
        FieldKind.DATETIME,
    )
)


def is_compared_as_text(spec: FieldSpec) -> bool:
    """Whether a value of the field is looked for by its letters, not by parsing."""
    return spec.kind not in _PARSED


def evidence_of(
    spec: FieldSpec, text: str, value: Value, get: str, base_url: str
) -> float:
    """1 if the text is the value, less if the value is a part of it, 0 if it is not
    there.

    `get` says what of an element the text is, as in a Reader.
    """
    if spec.shape is not Shape.ONE:
        return _evidence_of_items(spec, text, value, base_url)
    if spec.kind is FieldKind.URL:
        return _evidence_of_url(spec, text, value, get, base_url)
    if isinstance(value, bool):
        says = truth_is if get == "@data" else is_said
        return _evidence_of_flag(text, value, says)
    if spec.kind in _PARSED:
        return _evidence_of_parsed(spec, text, value, base_url)
    return _evidence_of_text(text, value)


def _evidence_of_items(
    spec: FieldSpec, text: str, value: Value, base_url: str
) -> float:
    """For lists: the text is one of the items, or it holds all of them."""
    if not value:
        return 0.0
    if isinstance(value, list) and _is_item(item_spec(spec), text, value, base_url):
        return 1.0
    return tuned("evidence.holds_items") * _holds_items(text, value)


def _holds_items(text: str, items: Iterable[Value]) -> bool:
    """Whether a text, if it is no long one, has all the items in it, by their letters: a
    list that is written in one line."""
    if len(text) >= _MOST_AROUND_ITEMS:
        return False
    present = letters(text)
    return all(letters(str(item)) in present for item in items)


def _is_item(single: FieldSpec, text: str, items: list[Value], base_url: str) -> bool:
    """Whether a text is one of the items of a list."""
    parsed = parse_value(text, single, base_url)
    if parsed is None:
        return False
    forms = [canonical(item, single) for item in items]
    return canonical(parsed, single) in forms


def _evidence_of_url(
    spec: FieldSpec, text: str, value: Value, get: str, base_url: str
) -> float:
    """How strongly a text speaks for a known url, 0..1: the same address is certain;
    the end of its path in an attribute for urls is a hint."""
    if not get.startswith("@") and "/" not in text:
        return 0.0
    path = str(value).split("?")[0].rstrip("/")
    if not _mentions(text, path.rsplit("/", 1)[-1]):
        return 0.0
    if same(parse_value(text, spec, base_url), value, spec):
        return 1.0
    return tuned("evidence.url_end") * get.startswith(_URL_ATTRIBUTES)


def _mentions(text: str, segment: str) -> bool:
    """Whether a text may be a url that ends in a segment."""
    start = segment.casefold()[:_URL_START]
    folded = text.casefold()
    return start in folded or start in folded.replace(" ", "%20")


def _evidence_of_flag(
    text: str, value: bool, says: Callable[[str, bool], bool]
) -> float:
    """For a yes or a no: the text is one, or says one behind a label."""
    if says(text, value):
        return 1.0
    return tuned("evidence.labelled_flag") * any(behind_labels(text, value))


def _evidence_of_parsed(
    spec: FieldSpec, text: str, value: Value, base_url: str
) -> float:
    """For numbers, durations and dates: the text is one, or the value is among its
    several."""
    length = len(text)
    if length > _MOST_OF_TYPED or not any((has_digit(text), counted_signs(text))):
        return 0.0
    pipe = fit(text, value, spec, base_url)
    if pipe is None:
        return 0.0
    if pipe:
        return tuned("evidence.among_numbers") * (length < _MOST_AROUND_TYPED)
    # Among many words it may be another thing's number.
    return 1.0 if length <= _FEW_CHARACTERS else tuned("evidence.among_words")


def _evidence_of_text(text: str, value: Value) -> float:
    """For words: the letters of the text are the value's, or hold them; a time of day may
    be written otherwise."""
    wanted = letters(str(value))
    present = letters(text)
    if not wanted:
        return 0.0
    if present in (wanted, clock_letters(str(value))):
        return 1.0
    if wanted in present:
        share = len(wanted) / len(present)
        return max(tuned("evidence.least_part"), tuned("evidence.part") * share)
    return 0.0


def trust_in(spec: FieldSpec, get: str) -> float:
    """How much a text of this origin is trusted, about 0..1.

    A date or a word in a link is rather the file's than the record's.
    """
    if get in ("@href", "@src") and spec.kind is not FieldKind.URL:
        return tuned("evidence.link_as_text")
    if get.startswith("@"):
        return tuned_of("attribute", get, "attribute.other")
    return tuned_of("text", get, "text.other")
