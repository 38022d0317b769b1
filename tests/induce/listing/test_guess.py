from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.guess import gated, guess_listing, guess_on
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.listing.documents import RECORDS, SCHEMA, document, items


def named(count: int = 4, link: str = "name") -> str:
    rows = "".join(
        f"<tr><td class='{link}'><a class='url' href='{one['url']}'>{one['name']}</a></td>"
        f"<td class='filed'>{one['filed']}</td></tr>"
        for one in RECORDS[:count]
    )
    return f"<table>{rows}</table>"


def read(page: Document, schema: RecordSchema = SCHEMA) -> list[dict[str, object]]:
    found = guess_listing(schema, page)
    assert found is not None
    return [record.values for record in run(found.scored.program, page).records]


def test_columns_that_say_what_they_are_give_a_program() -> None:
    page = document(named())
    guess = guess_listing(SCHEMA, page)
    assert guess is not None
    assert read(page) == RECORDS
    assert guess.fields["filed"] == 1.0
    assert guess.sureness == round(sum(guess.fields.values()) / 3, 4)
    assert guess.very_sure == {
        name for name, fit in guess.fields.items() if fit >= 0.75
    }
    assert "filed" in guess.very_sure


def test_nothing_repeated_gives_no_guess() -> None:
    assert guess_listing(SCHEMA, document("<p>x</p>")) is None
    assert guess_listing(SCHEMA, document(named(2))) is None
    three = "".join(f"<p>some words and more {n}</p>" for n in "abc")
    assert guess_listing(SCHEMA, document(three)) is None


def test_one_field_is_enough_for_a_schema_of_one() -> None:
    schema = RecordSchema(
        name="Day", fields=(FieldSpec(name="filed", kind=FieldKind.DATE),)
    )
    page = document(named())
    assert read(page, schema) == [{"filed": one["filed"]} for one in RECORDS]


def test_earlier_records_say_what_fields_look_like() -> None:
    body = "".join(
        f"<li><b>{one['name']}</b> <i>{one['filed']}</i> <u>the court of appeals</u></li>"
        for one in RECORDS
    )
    schema = RecordSchema(name="Case", fields=SCHEMA.fields[:2])
    page = document(f"<ul>{body}</ul>")
    assert guess_listing(schema, page) is None
    earlier = [{"name": "Kerr v. Lowe"}, {"name": "Moss v. Nash"}]
    guess = guess_listing(schema, page, earlier)
    assert guess is not None
    assert set(guess.fields) == {"name", "filed"}


def test_of_several_pages_the_first_sure_one_is_taken() -> None:
    empty, page = document("<p>x</p>"), document(named())
    (scored,) = guess_on(SCHEMA, [empty, page])
    assert scored.right == 0.0
    assert [record.values for record in run(scored.program, page).records] == RECORDS
    assert guess_on(SCHEMA, [empty]) == []


def test_a_guess_without_a_required_field_is_none() -> None:
    required = FieldSpec(name="court", required=True)
    schema = RecordSchema(name="Case", fields=(*SCHEMA.fields, required))
    assert guess_on(schema, [document(named())]) == []


def test_unsure_fields_keep_one_reader() -> None:
    guess = guess_listing(SCHEMA, document(named()))
    assert guess is not None
    program = gated(guess.scored.program, frozenset({"filed"}))
    counts = {field.spec.name: len(field.readers) for field in program.fields}
    assert counts["name"] == counts["url"] == 1
    assert counts["filed"] > 1


def test_the_larger_group_is_preferred() -> None:
    page = document(named(3, "other") + items())
    guess = guess_listing(SCHEMA, page)
    assert guess is not None
    assert guess.scored.found == 4
