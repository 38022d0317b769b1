"""A code and a town that stand in one line: "75008 Paris, France", "Storgatan 3, 112 34 Umeå".

Both are the page's own, and so is what stands before them: the form of the line alone says
where one ends and the other begins.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product

from crawloop_assets.crawler.transforms import Op, Step, apply

_LINE = r"(?:^|[,;·|\n] ?)"
"""Where the line begins."""
_CODES = (r"\d[\d -]{1,7}\d", r"\d{4} ?[A-Z][A-Z]")
"""Of digits, with gaps, or with two letters behind them: "1012 AB Amsterdam"."""
_SHORTEST = 4
"""Characters; shorter texts beside a number may be its unit."""
_BEFORE_WORD = r"({}) [^\W\d]"
_BEHIND_CODE = r"{} ([^\W\d](?:[^\d,;(|·\n]*[^\W\d])?)"
"""What finds the code that a word follows, and the words behind one, up to the next sign."""
_CUTS = [
    (Step(op=Op.REGEX, args=(_LINE + form.replace("{}", code),)),)
    for code, form in product(_CODES, (_BEFORE_WORD, _BEHIND_CODE))
]


def in_town_line(text: str, wanted: str) -> Iterator[tuple[Step, ...]]:
    """The cut that makes a text its code, or the words behind it, if that is the wanted text and
    no unit or currency: "1200 views", "129 Kč"."""
    is_unit = wanted[:1].islower() or len(wanted) < _SHORTEST
    return filter(partial(_gives, text, wanted), _CUTS * (not is_unit))


def _gives(text: str, wanted: str, cut: tuple[Step, ...]) -> bool:
    """Whether a cut makes a text the wanted one."""
    return apply(cut, [text]) == [wanted]
