"""Does a value stand on a page at all?"""

from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value


def occurs_on(index: Index, value: Value, spec: FieldSpec) -> bool:
    """True if the value (every item of a list) is found in the text, an attribute or
    the JSON of the page."""
    items = (
        value if spec.shape is not Shape.ONE and isinstance(value, list) else [value]
    )
    return all(_stands(index, item, item_spec(spec)) for item in items)


def _stands(index: Index, value: Value, spec: FieldSpec) -> bool:
    if spec.kind is FieldKind.OBJECT:
        parts = value if isinstance(value, dict) else {}
        return all(
            occurs_on(index, parts[part.name], part)
            for part in spec.fields
            if part.name in parts
        )
    if index.places(value, spec):
        return True
    wanted = letters(
        str(value).rsplit("/", 1)[-1] if spec.kind is FieldKind.URL else str(value)
    )
    if (
        spec.kind in (FieldKind.TEXT, FieldKind.CHOICE, FieldKind.URL)
        and wanted
        and index.holds(wanted)
    ):
        return True
    return any(
        wanted and wanted == letters(text)
        for texts in index.document.leaves.values()
        for text in texts
    )
