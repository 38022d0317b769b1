from crawloop_assets.crawler.extraction import Example
from crawloop_assets.induce.listing.boundary import CandidateBoundary, boundaries
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.listing.narrowed import without_narrowed
from crawloop_assets.induce.listing.occurrences import Occurrences
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.listing.documents import NAMES, document

SCHEMA = RecordSchema(
    name="Case",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(
            name="court", kind=FieldKind.CHOICE, choices=("high", "low"), required=True
        ),
        FieldSpec(name="judge"),
    ),
)
COURTS = ("high", "high", "low", "low")
KNOWN = [
    {"name": name, "court": court, "judge": f"J. {name[:3]}"}
    for name, court in zip(NAMES, COURTS, strict=True)
]


def rows() -> str:
    """Rows with a class for their court; those of the low one have an empty cell."""
    return "".join(
        f"<div class='case at-{one['court']}'><b>{one['name']}</b>"
        f"<i>{one['judge'] if one['court'] == 'high' else ''}</i></div>"
        for one in KNOWN
    )


def found(body: str, known: int) -> tuple[list[CandidateBoundary], set[str]]:
    """All boundaries of a page, and which of them are kept."""
    occurrences = Occurrences(document(body))
    every = boundaries(SCHEMA, occurrences, KNOWN[:known])
    kept = without_narrowed(SCHEMA, every, KNOWN[:known])
    return every, {one.boundary.at for one in kept}


def test_a_class_that_says_a_choice_is_no_place_of_all_rows() -> None:
    every, kept = found(rows(), known=2)
    assert "div.at-high" in {one.boundary.at for one in every}
    assert "div.at-high" not in kept
    assert "div.case" in kept


def test_an_advertisement_among_the_rows_does_not_narrow_them() -> None:
    body = f"<div class='case ad'><p>x</p><ul><li>y</li></ul></div>{rows()}"
    kept = found(body, known=2)[1]
    assert "div.at-high" not in kept
    assert "div.case" in kept


def test_rows_of_several_forms_go_before_the_one_row_that_is_known() -> None:
    """No more than half of all rows are like the known one, which is alike by itself."""
    forms = [
        "",
        "",
        "<u>new</u>",
        "<p>x</p><em>y</em>",
        "<ul><li>z</li></ul>",
        "<s>0</s>",
    ]
    cards = "".join(
        f"<div class='row'><div class='case'>{form}<b>{one['name']}</b><i>{one['judge']}</i></div></div>"
        for one, form in zip([*KNOWN, *KNOWN[:2]], forms, strict=True)
    )
    body = f"<div class='top'>{cards}</div>"
    every, kept = found(body, known=1)
    single = {one.boundary.at for one in every if len(one.scopes) == 1}
    assert single and single.isdisjoint(kept)
    assert "div.case" in kept


def test_the_only_row_of_a_page_is_kept() -> None:
    body = f"<main><div class='case'><b>{KNOWN[0]['name']}</b><i>{KNOWN[0]['judge']}</i></div></main>"
    assert "div.case" in found(body, known=1)[1]


def test_a_class_with_other_words_may_be_the_place_of_rows() -> None:
    assert "div.q7-heigh" in found(rows().replace("at-high", "q7-heigh"), known=2)[1]


def test_a_class_of_a_choice_is_kept_where_what_is_wider_finds_other_things() -> None:
    body = rows().replace("case at-high", "at-high")
    body = body.replace("<div class='case at-low'>", "<div><p>x</p><ul><li>y</li></ul>")
    every, kept = found(body, known=2)
    assert {one.boundary.at for one in every} >= {"div.at-high", "div"}
    assert "div.at-high" in kept


def test_rows_of_a_choice_that_is_not_known_are_read() -> None:
    """Two known rows of one court tell the rows of the other one, too."""
    page = document(rows())
    best = induce_on(SCHEMA, [page], [Example(page=0, records=tuple(KNOWN[:2]))])[0]
    assert best.found == len(KNOWN)


def test_small_numbers_of_other_rows_do_not_make_the_whole_list_a_row() -> None:
    """The one known row says 3 of 2; the list around it says both numbers alone, elsewhere."""
    counts = [
        FieldSpec(name=name, kind=FieldKind.INTEGER, required=True)
        for name in ("copies", "left")
    ]
    schema = SCHEMA.model_copy(update={"fields": (SCHEMA.fields[0], *counts)})
    items = "".join(
        f"<li class='case'><div><i>{at + 1}</i></div><b>{name}</b><p>{at + 3} copies"
        f"</p><u>{at + 2} left</u></li>"
        for at, name in enumerate(NAMES)
    )
    page = document(f"<main><ol class='all'>{items}</ol></main>")
    known = ({"name": NAMES[0], "copies": 3, "left": 2},)
    best = induce_on(schema, [page], [Example(page=0, records=known)])[0]
    assert best.found == len(NAMES)
