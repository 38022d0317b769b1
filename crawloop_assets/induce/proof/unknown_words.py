"""Words of pages that stand where a choice is read, or a number that all have, and for none
that is known."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice

from crawloop_assets.crawler.interpreter import scopes, vote_on
from crawloop_assets.crawler.program import FieldProgram, Program, Reader
from crawloop_assets.crawler.read import Scope, transformed_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.choice_texts import is_choice, may_be_choice
from crawloop_assets.induce.locate.number_words import may_be_worded, unread_words

_MOST_WORDS = 4
_SAID = "{} is not read where the page says {}: add an example of each"
_CUTS = (Op.MAP, Op.REGEX)
"""What leaves nothing of a word that is not known."""


def unknown_words(program: Program, documents: Sequence[Document]) -> dict[str, str]:
    """What to say of each choice, and each required number, that some pages or rows say in words which stand for none,
    by its name: which words, and what to do. A row counts where all else is read that rows
    need."""
    return dict(_said(program, documents))


def _said(program: Program, documents: Sequence[Document]) -> Iterator[tuple[str, str]]:
    """See `unknown_words`."""
    for field in filter(_is_worded, program.fields):
        places = chain.from_iterable(map(partial(_places, program, field), documents))
        words = list(islice(dict.fromkeys(_unread(field, places)), _MOST_WORDS))
        if words:
            yield field.spec.name, _SAID.format(field.spec.name, ", ".join(words))


def _is_worded(field: FieldProgram) -> bool:
    """Whether a field is a choice that has readers, or a number that may be in words."""
    spec = field.spec
    is_number = spec.required and may_be_worded(spec)
    return (is_choice(spec) or is_number) and bool(field.readers)


def _places(
    program: Program, field: FieldProgram, document: Document
) -> Iterator[Scope]:
    """The page, or the rows of a list that have all they need, whatever the field is."""
    if program.record is None:
        yield Scope(document)
        return
    needed = set(program.record.keep_if) - {field.spec.name}
    others = [one for one in program.fields if one.spec.name in needed]
    for place in scopes(document, program.record):
        if all(vote_on(one, place)[0] is not None for one in others):
            yield place


def _unread(field: FieldProgram, places: Iterable[Scope]) -> Iterator[str]:
    """The words, in quotation marks, of the places in which a field is not read."""
    words_of = _choice_words if is_choice(field.spec) else unread_words
    for place in places:
        if vote_on(field, place)[0] is None:
            yield from map('"{}"'.format, islice(words_of(field, place), 1))


def _choice_words(field: FieldProgram, place: Scope) -> Iterator[str]:
    """What stands in a place and may stand for a choice."""
    texts = chain.from_iterable(map(partial(_texts, place), field.readers))
    return filter(may_be_choice, texts)


def _texts(place: Scope, reader: Reader) -> list[str]:
    """What stands where a reader reads, but for what takes words as choices."""
    kept = tuple(filterfalse(_is_cut, reader.pipe))
    return transformed_texts(reader.model_copy(update={"pipe": kept}), place)


def _is_cut(step: Step) -> bool:
    """Whether a step reads known words only."""
    return step.op in _CUTS
