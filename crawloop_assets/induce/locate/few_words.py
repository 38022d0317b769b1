"""Choices of which few records are known, told by all pages or rows that are shown.

What a place says, all of them together, are no more different words than there are
choices, each again and again: that is a column of words, and of few known records one
tells what its words stand for. Of several such columns the one whose words have the known
choices in them ("Social chamber") goes first, then the one that has words of the field, then
the one that has a word for each choice; two that differ tell nothing.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, filterfalse, islice, product
from operator import attrgetter, itemgetter
from typing import NamedTuple

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, transformed_texts
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.agreed import first_agreed
from crawloop_assets.induce.locate.choice_texts import is_code, may_be_choice
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.lone_column import as_guess, led_by
from crawloop_assets.induce.locate.named_choices import named_choices
from crawloop_assets.induce.locate.reader_names import is_named_by
from crawloop_assets.induce.locate.text_parts import (
    BEFORE_NUMBER,
    maps_number,
    part_cuts,
)
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import compared_form, letters, tokens
from crawloop_assets.values.truths import is_said
from crawloop_assets.values.value import Value

_BEHIND_NUMBER: Pipe = (Step(op=Op.REGEX, args=(r"\d\s?([^\W\d_][^\d]{2,40})$",)),)
"""What an amount is for: "per month" of "€ 950 per month"."""
_WORD = re.compile(r"[^\W\d_]{4,20}")
_ONE_OF = r"\b(?:"
_MOST_SEARCHED = 300  # characters of a text
_MOST_WORDINGS = 30  # that a place is tried with
_MOST_CHOICES = 8  # of which so many words are a short pattern
_FEWEST_KNOWN = 2
_TRUTHS = ("True", "False")
_CLASSES = "@class"
_MOST_CLASSES = 4

_Known = Sequence[tuple[Scope, Value]]


class _Column(NamedTuple):
    """The reader of a place as the choices that its words stand for; what it says of
    each page or row by the order in which its words come; how it is to be preferred."""

    reader: Reader
    said: tuple[int, ...]
    is_own: bool
    is_named: bool
    is_whole: bool

    @property
    def rank(self) -> tuple[bool, bool, bool, bool]:
        """Sorts the likely ones first; those behind a number are mostly its unit, and one in a
        word is another one on the next page."""
        steps = [one for one in self.reader.pipe if one not in BEFORE_NUMBER]
        is_behind = any(one.op is Op.REGEX or maps_number(one) for one in steps)
        return not self.is_own, not self.is_named, is_behind, not self.is_whole


def _no_other(_: Reader) -> bool:
    """What is said of readers where nothing else is known of their pages."""
    return False


def few_worded(
    spec: FieldSpec,
    known: _Known,
    others: Sequence[Scope],
    places: Iterable[Reader],
    is_other: Callable[[Reader], bool] = _no_other,
) -> list[Reader]:
    """The readers of the column of words that agrees with what is known; none where
    there are two, or too few pages or rows to see one. `is_other` says of a reader that its
    words are another field's."""
    if len(known) < _FEWEST_KNOWN:
        return []
    columns = partial(_columns, spec=spec, known=known, others=others)
    every = chain.from_iterable(map(columns, places))
    found = (one for one in every if not is_other(one.reader))
    different = len(set(map(str, map(itemgetter(1), known))))
    if (spec.kind, different) == (FieldKind.BOOLEAN, 1):
        # The ticks of another flag may be the same of a few records, too.
        own = partial(_is_its_own, words_of(spec))
        return first_agreed(filter(own, found), attrgetter("rank"))
    return first_agreed(found, attrgetter("rank"))


def _is_its_own(words: Words, column: _Column) -> bool:
    """Whether a column, or a word of it ("with-lift"), is called as its field, or it is a key of
    data."""
    args = chain.from_iterable(map(attrgetter("args"), column.reader.pipe))
    said = chain.from_iterable(map(tokens, map(str, args)))
    is_data = column.reader.src is Source.JSON
    return column.is_named or is_data or not words.own.isdisjoint(said)


def guessed_words(
    spec: FieldSpec,
    known: _Known,
    others: Sequence[Scope],
    places: Iterable[Reader],
    is_other: Callable[[Reader], bool] = _no_other,
) -> list[Reader]:
    """The reader of the column of words that a single known record may tell, where a person
    looks at what it says; as a list, empty where two differ."""
    columns = partial(_columns, spec=spec, known=known, others=others)
    every = chain.from_iterable(map(columns, places))
    found = (one for one in every if not is_other(one.reader))
    return list(map(as_guess, first_agreed(found, _rank_with_lead)[:1]))


def _rank_with_lead(column: _Column) -> tuple[bool, bool, bool, bool, int, bool]:
    """Sorts the likely ones first; of equals those behind a label before those at a position,
    and whole texts before parts."""
    is_cut = any(step.op is not Op.MAP for step in column.reader.pipe)
    return *column.rank, led_by(column.reader), is_cut


def cuts_words(reader: Reader) -> bool:
    """Whether a reader takes one word of longer texts for a choice."""
    is_mapped = Op.MAP in map(attrgetter("op"), reader.pipe)
    return is_mapped and any(map(_is_word_cut, reader.pipe))


def _is_word_cut(step: Step) -> bool:
    """Whether a step leaves one of some words of a text."""
    return step.op is Op.REGEX and str(step.args[0]).startswith(_ONE_OF)


def says_more(reader: Reader, spec: FieldSpec, scopes: Iterable[Scope]) -> bool:
    """Whether a place whose words stand for choices says more different words in some
    pages or rows than there are choices: a town is no yes or no."""
    mapped = [step for step in reader.pipe if step.op is Op.MAP]
    place = reader.model_copy(update={"pipe": reader.pipe[: -len(mapped) or None]})
    texts = chain.from_iterable(transformed_texts(place, one)[:1] for one in scopes)
    return bool(mapped) and len(set(map(compared_form, texts))) > len(_choices(spec))


def _choices(spec: FieldSpec) -> Sequence[str]:
    """What a field may be, as words are said to stand for it."""
    return _TRUTHS if spec.kind is FieldKind.BOOLEAN else spec.choices


def _columns(
    place: Reader, spec: FieldSpec, known: _Known, others: Sequence[Scope]
) -> Iterator[_Column]:
    """The columns that a place, or one part of its text, is; it is read elsewhere only if
    it agrees with what is known."""
    texts = [transformed_texts(place, scope)[:1] for scope, _ in known]
    values = [str(value) for _, value in known]
    elsewhere: list[list[str]] = []
    cuts = chain(_cuts(place, texts), (named_choices(spec),), _word_cuts(texts, values))
    for cut in dict.fromkeys(cuts):
        first = partial(_first, is_coded=place.src is Source.JSON and not cut)
        words = list(map(first, (apply(cut, one) for one in texts)))
        if not _agree(words, values):
            continue
        elsewhere = elsewhere or [transformed_texts(place, one)[:1] for one in others]
        rest = list(map(first, (apply(cut, one) for one in elsewhere)))
        column = _column(place, cut, spec, list(zip(words, values, strict=True)), rest)
        if column is not None:
            yield column
            counted = place.model_copy(update={"pipe": (*place.pipe, *BEFORE_NUMBER)})
            again = filter(maps_number, column.reader.pipe)
            yield from _columns(counted, spec, known, others) if any(again) else ()


def _cuts(place: Reader, texts: Sequence[Sequence[str]]) -> Iterator[Pipe]:
    """What leaves a text whole, or cuts one part out of it, or what stands behind its number;
    of classes each one."""
    found = chain.from_iterable(map(part_cuts, chain.from_iterable(texts)))
    yield from dict.fromkeys(chain(found, (_BEHIND_NUMBER,)))
    for index in range(_MOST_CLASSES * (place.get == _CLASSES)):
        yield (Step(op=Op.PART, args=(" ", index)),)


def _word_cuts(texts: Sequence[Sequence[str]], values: Sequence[str]) -> Iterator[Pipe]:
    """What cuts out the one word of longer texts that stands for a choice: "Prepaid offer, no
    ties" beside "Offer with contract, 12 months"."""
    having = defaultdict[str, list[set[str]]](list)
    for one, value in zip(texts, values, strict=True):
        having[value].append(set(_WORD.findall("".join(one)[:_MOST_SEARCHED])))
    own = map(partial(_own_words, having), having)
    for words in islice(product(*own), _MOST_WORDINGS * (len(having) <= _MOST_CHOICES)):
        yield (Step(op=Op.REGEX, args=(f"{_ONE_OF}{'|'.join(words)})\\b",)),)


def _own_words(having: Mapping[str, Sequence[set[str]]], value: str) -> list[str]:
    """The words that stand in all texts of one choice, and in none of another one."""
    others = chain.from_iterable(map(having.__getitem__, {*having} - {value}))
    return sorted(set.intersection(*having[value]).difference(*others))


def _first(texts: Sequence[str], is_coded: bool) -> str:
    """The text that a place says; "" for none, or one that stands for no choice. A key of
    JSON may say a small number for each."""
    text = next(iter(texts), "")
    return text if may_be_choice(text) or (is_coded and is_code(text)) else ""


def _agree(words: Sequence[str], values: Sequence[str]) -> bool:
    """Whether each word stands for one choice, and each choice for one word."""
    pairs = set(zip(map(compared_form, words), values, strict=True))
    forms, said = (set(one) for one in zip(*pairs, strict=True))
    return "" not in forms and len(pairs) == len(forms) == len(said)


def _column(
    place: Reader,
    cut: Pipe,
    spec: FieldSpec,
    known: Sequence[tuple[str, str]],
    rest: Sequence[str],
) -> _Column | None:
    """The column of a place, if all that it says are few words, said again and again."""
    choices = _choices(spec)
    texts = [*(text for text, _ in known), *rest]
    forms = list(map(compared_form, texts))
    words = list(dict.fromkeys(filter(None, forms)))
    again = len(forms) - forms.count("") - len(words)
    is_filled = forms.count("") <= tuned("few_words.most_silent") * len(forms)
    is_column = is_filled and 1 < len(words) <= len(choices)
    if not is_column or again < tuned("few_words.fewest_again"):
        return None
    meant = {compared_form(text): (text, choice) for text, choice in known}
    shown = dict(zip(forms, texts, strict=True))
    meant |= _left({form: shown[form] for form in words}, meant, choices)
    if any(map(partial(_is_of_another, spec=spec), meant.values())):
        return None
    steps = (
        ()
        if _say_themselves(meant.values(), spec)
        else tuple(map(_step, meant.values()))
    )
    reader = place.model_copy(update={"pipe": (*place.pipe, *cut, *steps)})
    said = tuple(map(["", *words].index, forms))
    is_own = all(own_choice(text, choices) == choice for text, choice in known)
    is_named = is_named_by(reader, spec)
    return _Column(reader, said, is_own, is_named, len(words) == len(choices))


_Meant = dict[str, tuple[str, str]]


def _left(texts: dict[str, str], meant: _Meant, choices: Sequence[str]) -> _Meant:
    """Words of which nothing is known: those that have a choice's own word, and the only
    other one, with the only choice that is left."""
    found: _Meant = {}
    for form in filterfalse(meant.__contains__, texts):
        own = own_choice(texts[form], choices)
        taken = {choice for _, choice in (*meant.values(), *found.values())}
        if own is not None and own not in taken:
            found[form] = texts[form], own
    known = meant | found
    said = {choice for _, choice in known.values()}
    words = list(filterfalse(known.__contains__, texts))
    left = list(filterfalse(said.__contains__, choices))
    if len(words) == len(left) == 1:
        found[words[0]] = texts[words[0]], left[0]
    return found


def own_choice(text: str, choices: Sequence[str]) -> str | None:
    """The longest choice that a text has in it, "dept-clocks" for clocks; None if it has
    none."""
    own = [one for one in choices if _has(text, one)]
    return max(own, key=len, default=None)


def _has(text: str, choice: str) -> bool:
    """Whether a text has the words of a choice, or all its letters if they are several."""
    form = letters(choice)
    is_long = len(form) >= tuned("few_words.own_letters")
    return set(tokens(choice)) <= set(tokens(text)) or (
        is_long and form in letters(text)
    )


def _is_of_another(pair: tuple[str, str], spec: FieldSpec) -> bool:
    """Whether a word is read as another choice than the one it would stand for, or is a yes
    or a no: of three choices none is so said."""
    text, choice = pair
    is_yes_or_no = is_said(text, True) or is_said(text, False)
    if is_yes_or_no and len(spec.choices) > len(_TRUTHS):
        return True
    return str(parse_value(text, spec)) not in ("None", choice)


def _say_themselves(pairs: Iterable[tuple[str, str]], spec: FieldSpec) -> bool:
    """Whether all words are read as what they stand for."""
    return all(str(parse_value(text, spec)) == choice for text, choice in pairs)


def _step(pair: tuple[str, str]) -> Step:
    """What makes a word a choice."""
    return Step(op=Op.MAP, args=pair)
