from crawloop_assets.induce.listing.known_records import LocatedRecord, locate
from crawloop_assets.induce.listing.occurrences import Occurrences
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.listing.documents import RECORDS, SCHEMA, document, elements, items


def located(body: str, records: list[dict[str, str]]) -> list[LocatedRecord]:
    return locate(SCHEMA, Occurrences(document(body)), records)


def test_each_record_is_at_the_element_of_its_telling_value() -> None:
    page = document(items())
    found = locate(SCHEMA, Occurrences(page), RECORDS)
    assert [one.record for one in found] == [0, 1, 2, 3]
    assert [one.anchor for one in found] == elements(page, "a")
    assert set(found[0].places) == {"name", "filed", "url"}


def test_records_that_are_not_there_are_left_out() -> None:
    strange = {"name": "Nobody v. None", "filed": "1999-01-01"}
    body = items()
    assert [one.record for one in located(body, [strange, RECORDS[1]])] == [1]
    assert located(body, [strange]) == []


def test_of_several_places_the_one_near_the_other_values_is_taken() -> None:
    first = RECORDS[0]["name"]
    page = document(f"<h1>{first}</h1><p>x</p><p>y</p>{items()}")
    (found,) = locate(SCHEMA, Occurrences(page), [RECORDS[0]])
    assert found.anchor in elements(page, "a")


def test_no_two_records_are_at_one_element() -> None:
    record = {"name": RECORDS[0]["name"]}
    page = document(f"<p>{record['name']}</p><b>{record['name']}</b>")
    found = locate(SCHEMA, Occurrences(page), [record, record, record])
    assert [page.tags[one.anchor] for one in found] == ["p", "b"]


def test_the_field_that_differs_in_each_record_is_the_anchor() -> None:
    schema = RecordSchema(
        name="Case", fields=(FieldSpec(name="court"), FieldSpec(name="name"))
    )
    records = [{"court": "Supreme", "name": name} for name in ("Ames", "Birch")]
    body = "".join(f"<p>Supreme</p><b>{one['name']}</b>" for one in records)
    page = document(body)
    found = locate(schema, Occurrences(page), records)
    assert [one.anchor for one in found] == elements(page, "b")


def test_names_tell_records_apart_rather_than_numbers() -> None:
    schema = RecordSchema(
        name="Lamp",
        fields=(
            FieldSpec(name="price", kind=FieldKind.NUMBER),
            FieldSpec(name="title"),
        ),
    )
    records = [{"price": "49", "title": "Oak"}, {"price": "51", "title": "Elm"}]
    page = document("<i>49</i><b>Oak</b><i>51</i><b>Elm</b>")
    found = locate(schema, Occurrences(page), records)
    assert [one.anchor for one in found] == elements(page, "b")
