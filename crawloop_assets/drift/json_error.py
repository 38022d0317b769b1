"""Whether a small JSON answer says nothing but that something went wrong.

By the names of its places, in whatever language the message is: an answer that has a
place for an error, and no other place than those that stand beside one, is no record.
"""

import re
from collections.abc import Iterable, Mapping

from crawloop_assets.values.text import word_set

_STEP = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_ERROR = word_set(
    "error errors err errormessage errormsg exception fault faultstring message messages msg detail reason"
)
"""One of these has to say something."""

_BESIDE = _ERROR | word_set(
    "code errorcode errcode status statuscode statustext success ok title type details description errordescription "
    "erroruri info hint help instance path paths locations extensions timestamp time trace traceid requestid reqid "
    "correlationid retryafter documentationurl moreinfo data result results category severity domain field "
    "faultcode innererror target maintenance retry retryable until"
)
_REFUSALS = frozenset(("success", "ok"))
_DONE = frozenset(("ok", "success", "true", "none", "null", "", "0"))
"""What stands in the place of an error where there is none."""


def is_error(leaves: Mapping[str, Iterable[str]]) -> bool:
    """Whether the places of an answer, with what stands there, are those of an error."""
    said = [(_names(place), texts) for place, texts in leaves.items()]
    if not all(_BESIDE.issuperset(names) for names, _ in said):
        return False
    return any(_says_error(names, texts) for names, texts in said)


def _names(place: str) -> tuple[str, ...]:
    """The names of the steps to a place, in small letters."""
    _, *steps = _STEP.findall(place)
    return tuple(step.replace("_", "").lower() for step in steps)


def _says_error(names: tuple[str, ...], texts: Iterable[str]) -> bool:
    """Whether an error stands at a place."""
    written = {str(text).strip().lower() for text in texts}
    if _REFUSALS.intersection(names[-1:]):
        return "false" in written
    return bool(_ERROR.intersection(names) and written - _DONE)
