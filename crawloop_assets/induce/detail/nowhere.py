"""The answer to what a person said where no place of its page says that."""

from collections.abc import Iterable

from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value

NOWHERE = "what was said does not stand"
"""Begins the answer where a taught value is not on its page."""
_SAY_OTHER = (
    "a page that says it in words of its own is read once two are told apart: "
    "say the other one of another page"
)


def nowhere(spec: FieldSpec, at: str, said: Iterable[Value]) -> str:
    """That it does not stand at the place that was pointed `at` ("" for none), and what
    helps a flag or a choice of which one value alone was said."""
    where = f"at `{at}`" if at else "in any place that can be read"
    reason = f"{NOWHERE} {where} of its page"
    is_one = len(set(map(str, said))) == 1
    return (
        f"{reason}; {_SAY_OTHER}" if is_choice(spec) and is_one and not at else reason
    )
