"""What a reader cannot see: by an element's own attributes, or by a plain rule in a
`<style>` of the page."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import attrgetter, methodcaller

from lxml import etree

from crawloop_assets.document.trim import is_hidden

_MOST_STYLE = 400_000
"""Characters of style that are looked at."""
_MOST_RULES = 5_000
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*([a-z-]+)\s*(!\s*important)?", re.I)
_PLAIN = re.compile(r"([a-zA-Z][a-zA-Z0-9]*)?((?:[.#][a-zA-Z_-][\w-]*)+)")
_NAME = re.compile(r"[.#][\w-]+")


@dataclass(frozen=True)
class _Rule:
    """Which elements a rule is for, how much it weighs, and whether it hides them."""

    tag: str
    names: frozenset[str]
    weight: tuple[bool, int, int, bool, int]
    hides: bool


class Hidden:
    """Tells which elements of a page are hidden.

    Of the page's own styles only rules count that name an element by tag, classes and
    id alone; what holds on paper or on small screens only (`@media`) does not. What
    React sends later than the rest stands in the page hidden as `S:1`, and goes where
    the template `B:1` is as soon as it has come.
    """

    def __init__(self, root: etree._Element):
        """Read the styles of the page, as far as they are bounded."""
        styles = " ".join(filter(None, map(attrgetter("text"), root.iter("style"))))
        self._rules = _rules(styles[:_MOST_STYLE])
        ids = map(methodcaller("get", "id", ""), root.iter("template"))
        self._filled = {f"S:{name[2:]}" for name in ids if name.startswith("B:")}

    def hides(self, element: etree._Element) -> bool:
        """Whether a reader cannot see an element, but for what it stands in."""
        if is_hidden(element):
            return element.get("id") not in self._filled
        if not self._rules or _DISPLAY.search(element.get("style") or ""):
            return False
        rules = list(self._rules_for(element))
        return bool(rules) and max(rules, key=attrgetter("weight")).hides

    def _rules_for(self, element: etree._Element) -> Iterator[_Rule]:
        """The rules that are for an element, by its tag, its classes and its id."""
        names = {f".{name}" for name in (element.get("class") or "").split()}
        names.add(f"#{element.get('id')}")
        for rule in chain.from_iterable(self._rules.get(name, ()) for name in names):
            if rule.names <= names and rule.tag in ("", element.tag):
                yield rule


def _rules(styles: str) -> Mapping[str, Sequence[_Rule]]:
    """The plain rules that say how something is displayed, by one of the names each
    asks for; none if nothing is hidden by them."""
    found: defaultdict[str, list[_Rule]] = defaultdict(list)
    hides = False
    blocks = islice(_blocks(_COMMENT.sub(" ", styles)), _MOST_RULES)
    for number, (selectors, body) in enumerate(blocks):
        for says in list(_DISPLAY.finditer(body))[-1:]:
            for plain in map(_PLAIN.fullmatch, map(str.strip, selectors.split(","))):
                if plain:
                    rule = _rule(plain, says, number)
                    found[min(rule.names)].append(rule)
                    hides |= rule.hides
    return found if hides else {}


def _rule(selector: re.Match[str], says: re.Match[str], number: int) -> _Rule:
    """A rule; of two the more important, then the more exact, then the later one
    counts."""
    names = frozenset(_NAME.findall(selector[2]))
    ids = sum(name.startswith("#") for name in names)
    tag = (selector[1] or "").lower()
    weight = (bool(says[2]), ids, len(names) - ids, bool(tag), number)
    return _Rule(tag, names, weight, says[1].lower() == "none")


def _blocks(styles: str) -> Iterator[tuple[str, str]]:
    """Selectors and bodies of the outermost rules, without those that begin with @."""
    depth = begun = opened = 0
    for brace in _BRACE.finditer(styles):
        depth = max(0, depth + (1 if brace[0] == "{" else -1))
        if depth == 1 and brace[0] == "{":
            opened = brace.start()
        elif depth == 0:
            selectors = styles[begun:opened].rpartition(";")[2].strip()
            if not selectors.startswith("@"):
                yield selectors, styles[opened + 1 : brace.start()]
            begun = opened = brace.end()
