"""Does a value stand on the page it was read from?"""

from typing import Any

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.forms import number_form, text_form
from crawloop_assets.schema import FieldSpec, Kind

_ITEMS = 20


def is_grounded(value: Any, spec: FieldSpec, facts: PageFacts) -> bool | None:
    """Whether all of a value's (first twenty) items stand on the page; None where it cannot be told: dates, urls and
    the like are written in many ways."""
    if not facts.witness or spec.kind not in (Kind.TEXT, Kind.NUMBER, Kind.INTEGER):
        return None
    form = text_form if spec.kind is Kind.TEXT else number_form
    items = value if isinstance(value, list) else [value]
    forms = [form(str(item)) for item in items[:_ITEMS]]
    return all(one == "" or facts.holds(one) for one in forms)
