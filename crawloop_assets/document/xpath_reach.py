"""How far an XPath expression reaches: outside the page, or over it again and again.

A move down costs what is below an element; all moves down together cost the page once.
A move to all siblings, or up and down again inside a condition, costs a row of elements
for each element of the row: quadratic. One such move inside another is cubic, and so on.
"""

import re

from crawloop_assets.document.css_grammar import BadSelector

TOO_WIDE = (
    "goes over all siblings of all siblings: let it take the nearest one, [1], or go over "
    "them once"
)
_MOST_CHARS = 500
_MOST_SEARCHES = 3
"""Of the whole page in one expression."""
_REFUSED = re.compile(
    r"\b(?:document|id|key|unparsed-entity-uri|current|system-property)\s*\(|\$|re:|regexp|exsl|str:|set:|"
    r"\b(?:preceding|following)\s*::|\bancestor(?:-or-self)?\s*::|\bnamespace\s*::"
)
_INNERMOST = re.compile(r"\[[^\]\[]*+\]")
_SEARCH = re.compile("//|descendant")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SIGN = re.compile(
    r"(?P<wide>-sibling\s*::\s*[\w*:.-]++(?:\(\s*\))?+(?!\s*\[\s*\d+\s*\]))"
    r"|(?P<up>(?:\.\.|\bparent\s*::\s*[\w*()]+)(?!\s*/\s*(?:@|\.\.|parent\b|attribute\b)))"
    r"|(?P<open>\[)|(?P<close>\])|(?P<other>\||,|\b(?:and|or)\b)"
)
"""What counts: a move to all siblings, a move up from which it may go down again, the
ends of a condition, and what parts alternatives."""


def check_reach(expression: str) -> None:
    """Raise BadSelector for an expression that can reach outside the page, or that can
    take more than quadratic time."""
    bare = _QUOTED.sub("''", expression)
    is_too_long = len(expression) > _MOST_CHARS
    if is_too_long or _REFUSED.search(bare) or _searches_again(bare):
        raise BadSelector(
            f"{expression!r} uses an axis, function or nested search that crawlers may not use"
        )
    if nested_moves(bare) > 1:
        raise BadSelector(f"{expression!r} {TOO_WIDE}")


def _searches_again(bare: str) -> bool:
    """Whether an expression, its quoted texts taken out, searches the page from each of
    many elements: a page that is twice as long then takes four times as long."""
    conditions = _INNERMOST.findall(bare)
    while conditions:
        if any(map(_SEARCH.search, conditions)):
            return True
        bare = _INNERMOST.sub("", bare)
        conditions = _INNERMOST.findall(bare)
    return bare.count("//") > _MOST_SEARCHES


def nested_moves(expression: str) -> int:
    """How many moves over all siblings an expression makes inside each other, or one
    after the other."""
    bare = _QUOTED.sub("''", expression)
    levels = [_Level()]
    for sign in _SIGN.finditer(bare):
        match sign.lastgroup:
            case "open":
                levels.append(_Level())
            case "close" if len(levels) > 1:
                levels[-2].hold(levels.pop().moves())
            case "other":
                levels[-1].part()
            case "wide":
                levels[-1].own += 1
            case "up":
                levels[-1].own += len(levels) > 1  # outside a condition it leads to few
    return sum(level.moves() for level in levels)


class _Level:
    """A condition, or what is outside of all: its own moves since an alternative began,
    the most that one condition in it has, and the most of an alternative before."""

    def __init__(self) -> None:
        """Nothing is read yet."""
        self.own = self._inner = self._before = 0

    def hold(self, moves: int) -> None:
        """A condition within this one has so many moves."""
        self._inner = max(self._inner, moves)

    def part(self) -> None:
        """Another alternative begins."""
        self._before, self.own, self._inner = self.moves(), 0, 0

    def moves(self) -> int:
        """The most of an alternative."""
        return max(self._before, self.own + self._inner)
