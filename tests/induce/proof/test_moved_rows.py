"""Rows inside a record of which some cells moved are told from others."""

from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.moved import has_changed
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value
from tests.document.build import document
from tests.induce.proof.test_moved import PRICE, may_be_moved, seen

SIZE = FieldSpec(name="size")
SIZES = FieldSpec(
    name="sizes",
    kind=FieldKind.OBJECT,
    shape=Shape.LIST,
    volatile=True,
    fields=(SIZE, PRICE, FieldSpec(name="left", kind=FieldKind.BOOLEAN)),
)


def of_sizes(*rows: tuple[str, int, bool]) -> Value:
    return [{"size": size, "price": price, "left": left} for size, price, left in rows]


def test_the_rows_of_a_record_are_the_known_ones_where_one_of_them_changed() -> None:
    was = of_sizes(("small", 10, True), ("large", 20, True))
    sold = of_sizes(("small", 10, False), ("large", 20, False))
    dearer = of_sizes(("small", 10, True), ("large", 25, True))
    others = of_sizes(("small", 15, True), ("large", 25, True))
    fewer = of_sizes(("small", 10, True))
    once = seen({"sizes": was}, {"sizes": sold})
    assert may_be_moved(SIZES, once)
    assert may_be_moved(SIZES, seen({"sizes": was}, {"sizes": dearer}))
    assert may_be_moved(SIZES, seen({"sizes": was}, {"sizes": fewer}))
    assert not may_be_moved(SIZES, seen({"sizes": was}, {"sizes": others}))
    lasting = SIZES.model_copy(update={"volatile": False})
    assert not may_be_moved(lasting, once)


def test_rows_of_which_half_are_as_known_are_what_the_known_ones_became() -> None:
    schema = RecordSchema(name="Lamp", fields=(FieldSpec(name="name"), SIZES))
    was = of_sizes(("small", 10, True), ("large", 20, True))
    sold = of_sizes(("small", 10, True), ("large", 20, False))
    other = of_sizes(("small", 20, True), ("large", 10, True))
    texts = ("Oak", "small", "10.00", "large", "20.00", "yes", "no")
    page = Index(document("".join(map("<p>{}</p>".format, texts))))
    stored = of_sizes(("small", "10.0000", True), ("large", "20.0000", True))  # type: ignore[arg-type]

    def changed(known: Value, now: Value) -> bool:
        one = seen({"name": "Oak", "sizes": known}, {"name": "Oak", "sizes": now})
        return has_changed(SIZES, page, one, schema)

    assert changed(was, sold)
    assert changed(stored, sold)
    assert not changed(was, other)
