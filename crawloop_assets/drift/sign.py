"""The names of all that speaks against what was read; `signs.py` says how each is judged."""

from enum import StrEnum


class Sign(StrEnum):
    """What can be seen on a unit; the value is what history calls it."""

    DISAGREE = "disagree"
    RIVAL = "rival"
    OUTVOTED = "outvoted"
    SILENT = "silent"
    READER = "reader"
    CONTRADICTION = "contradiction"
    LATE = "late"
    UNTIMELY = "untimely"
    WORDS = "words"
    BESIDE = "beside"
    PLACES = "places"
    HIDDEN = "hidden"
    HEAD = "head"
    ABROAD = "abroad"
    ASIDE = "aside"
    ROWS = "rows"
    SHORT = "short"
    UNPAGED = "unpaged"
    LOOP = "loop"
    MISSING = "missing"
    SCARCE = "scarce"
    LOST = "lost"
    VANISHED = "vanished"
    EMPTIED = "emptied"
    UNREAD = "unread"
    OVERLOOKED = "overlooked"
    REPLACED = "replaced"
    REKEYED = "rekeyed"
    CHANGED = "changed"
    MOVED = "moved"
    STILL = "still"
    REPRICED = "repriced"
    STRIDE = "stride"
    AFAR = "afar"
    RATIO = "ratio"
    EXACTLY = "exactly"
    ROUNDED = "rounded"
    WHOLESALE = "wholesale"
    KEPT = "kept"
    UNENDED = "unended"
    EXCHANGED = "exchanged"
    BORROWED = "borrowed"
    LENT = "lent"
    RETOLD = "retold"
    ELSEWHERE = "elsewhere"
    JUMP = "jump"
    LEAP = "leap"
    FACTOR = "factor"
    FALLEN = "fallen"
    SWEPT = "swept"
    CACHED = "cached"
    FROZEN = "frozen"
    CUT = "cut"
    UNGROUNDED = "ungrounded"
    STRAY = "stray"
    NET = "net"
    ABOVE = "above"
    EQUAL = "equal"
    OFF_TITLE = "off_title"
    OFF_URL = "off_url"
    OFF_LINK = "off_link"
    CURRENCY = "currency"
    NOTATION = "notation"
    THOUSANDS = "thousands"
    DUPLICATE = "duplicate"
    SHARED = "shared"
    COPIED = "copied"
    NEIGHBOUR = "neighbour"
    PLACEHOLDER = "placeholder"
    GARBLED = "garbled"
    WHOLE = "whole"
    BROKEN = "broken"
    SHAPE = "shape"
    ADDED = "added"
    LAYOUT = "layout"


ANOTHER_VALUE = frozenset(
    (
        Sign.CHANGED,
        Sign.REPRICED,
        Sign.STRIDE,
        Sign.AFAR,
        Sign.RATIO,
        Sign.EXACTLY,
        Sign.BORROWED,
        Sign.LENT,
        Sign.ROUNDED,
        Sign.WHOLESALE,
        Sign.JUMP,
        Sign.LEAP,
        Sign.FALLEN,
        Sign.SWEPT,
    )
)
"""Signs that a value is another one than before, and of nothing else."""

NEWS = ANOTHER_VALUE | frozenset(
    (
        Sign.SILENT,
        Sign.READER,
        Sign.SHORT,
        Sign.UNPAGED,
        Sign.LOOP,
        Sign.MISSING,
        Sign.SCARCE,
        Sign.LOST,
        Sign.VANISHED,
        Sign.EMPTIED,
        Sign.REPLACED,
        Sign.UNGROUNDED,
        Sign.ABOVE,
        Sign.EQUAL,
        Sign.OFF_URL,
        Sign.SHARED,
        Sign.COPIED,
        Sign.WHOLE,
        Sign.BROKEN,
        Sign.SHAPE,
    )
)
"""Signs that a site may give by changing what it offers: nothing on the page speaks
against the value, so only time can tell. All others have a witness."""

OF_BATCH = frozenset((Sign.DUPLICATE, Sign.SHARED, Sign.COPIED, Sign.REPLACED))
"""Signs that the pages of a batch show together, and none of them alone."""
