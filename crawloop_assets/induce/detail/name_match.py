"""How plainly the name of an element (class, id, data attribute) says a field, and
which parts of a page do not belong to the record."""

from collections.abc import Iterator, Sequence
from itertools import chain, filterfalse

from crawloop_assets.document.document import Document
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.induce.words.vocabulary import CONCEPTS
from crawloop_assets.values.text import tokens, word_set

# What class names add to say what kind of box it is, not what is in it.
_BOX_WORDS = word_set(
    "container wrapper wrap box block section group inner outer body content text "
    "value list item entry row data detail info area field main holder area panel html "
    "copy type with normal wysiwyg rich average"
)
# Parts of a page that speak of other pages.
_OTHER_PAGES = word_set(
    "nav menu footer sidebar related comment breadcrumb widget navigation cookie share "
    "social similar"
)
_OTHER_PAGES_TAGS = word_set("nav footer aside noscript")
_MENUS = ("nav", "footer")
_HEAD_WORDS = 2  # of a class or an id that say what it is about
_WHOLE_PAGE_TAGS = ("html", "body", "main", "article")


def _names_of_several_words() -> Iterator[frozenset[str]]:
    """The words of each name in the vocabulary that has more than one."""
    for concept in CONCEPTS:
        for name in concept.names:
            words = frozenset(tokens(name))
            if len(words) > 1:
                yield words


_SPECIAL_NAMES = frozenset(_names_of_several_words())


def plainness(name: tuple[str, ...], words: Words, about: frozenset[str]) -> float:
    """How plainly a name says the field: 1 for nothing but its words, up to 1.5 where
    the record's words (`about`) come before them; 0 if its head word says something
    else, or if it is the name of something more special ("rating count" is no
    rating)."""
    share = words.share(name)
    if share < tuned("name_match.least_share"):
        return 0.0
    if _is_more_special(frozenset(name), words):
        return 0.0
    start = _end_of_record_words(name, about)
    if start:
        share += tuned("name_match.of_record")
    return share * _telling(name[start:], words)


def _telling(name: Sequence[str], words: Words) -> float:
    """The share of the field's words in a name without box words; 0 if it is no more
    than half, or if the name ends with another word."""
    field_words = words.known | words.own | words.joined
    heads = list(filterfalse(_BOX_WORDS.__contains__, name))
    if not _ends_with_field(heads, field_words, words):
        return 0.0
    telling = sum(map(field_words.__contains__, heads)) / len(heads)
    if telling <= tuned("name_match.least_telling"):
        return 0.0
    return telling


def _ends_with_field(
    heads: Sequence[str], field_words: frozenset[str], words: Words
) -> bool:
    """True if the last word is the field's; "label" is the label of a value, though
    pages call their tags so, too."""
    last = next(reversed(heads), "")
    if last == "label":
        return "label" in words.own
    return last in field_words


def _end_of_record_words(name: tuple[str, ...], about: frozenset[str]) -> int:
    """One past the last word of a name that says the record; 0 if none does."""
    for position in range(len(name), 0, -1):
        if name[position - 1] in about:
            return position
    return 0


def _is_more_special(name: frozenset[str], words: Words) -> bool:
    """True for a name that holds the name of another field, and more words of that than
    of any name of this one."""
    sizes = [len(own & name) for own in words.names]
    own_size = max(sizes, default=0)
    for special in filter(name.issuperset, _SPECIAL_NAMES):
        if len(special) <= own_size:
            continue
        if not words.own.issuperset(special):
            return True
    return False


def record_elements(document: Document) -> Iterator[int]:
    """The elements of a page without the parts that speak of other pages.

    What holds the heading of the page is none of those, whatever it is called: the
    record beside a sidebar stands in a "content-sidebar-wrap".
    """
    heading = next(iter(document.by_tag.get("h1", ())), -1)
    number = 0
    while number < len(document.elements):
        has_heading = number <= heading < document.end[number]
        if _speaks_of_other_pages(document, number, named=not has_heading):
            number = document.end[number]
            continue
        yield number
        number += 1


def is_in_menu(document: Document, number: int) -> bool:
    """True for an element in a menu or a footer of the page, or that is one."""
    return any(
        document.tags[at] in _MENUS and not _holds_main(document, at)
        for at in (number, *document.ancestors(number))
    )


def _holds_main(document: Document, number: int) -> bool:
    """True for what holds the main part of the page, as an element that was never
    closed holds all that follows."""
    main = next(iter(document.by_tag.get("main", ())), -1)
    return number < main < document.end[number]


def _speaks_of_other_pages(document: Document, number: int, *, named: bool) -> bool:
    """True for navigation, comments, related pages and the like, by tag or, where it may
    be `named` so, by the head of a class or an id."""
    element = document.elements[number]
    if element.tag in _OTHER_PAGES_TAGS:
        return not _holds_main(document, number)
    if element.tag in _WHOLE_PAGE_TAGS or not named:
        return False
    names = f"{element.get('class', '')} {element.get('id', '')}".split()
    heads = [tokens(name)[:_HEAD_WORDS] for name in names]
    return not _OTHER_PAGES.isdisjoint(chain.from_iterable(heads))
