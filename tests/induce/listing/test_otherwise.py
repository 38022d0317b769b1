"""What rows say otherwise."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal

import pytest

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.otherwise import otherwise_readers
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.listing.documents import document, scope

CHOICES = ("In stock", "Sold out")
STATE = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=CHOICES)
IN, OUT = CHOICES
OPEN = FieldSpec(name="open", kind=FieldKind.BOOLEAN)


def rows(*words: str) -> Document:
    return document(
        "".join(f"<li><b>Ware {word}</b><i>{word}</i></li>" for word in words)
    )


def cells(page: Document, *values: Value) -> list[KnownCell]:
    return [KnownCell(scope(page, "li", at), value) for at, value in enumerate(values)]


def told(page: Document, *values: str) -> list[list[object]]:
    samples = cells(page, *values)
    scopes: list[Scope] = [sample.scope for sample in samples]
    found = otherwise_readers(STATE, samples, ())
    return [[read(one.reader, each, STATE) for each in scopes] for one in found]


def test_each_word_stands_for_one_choice() -> None:
    page = rows("Lager", "Lager", "Ausverkauft", "Lager")
    answers = told(page, IN, IN, OUT, IN)
    assert answers and all(each == [IN, IN, OUT, IN] for each in answers)


def test_few_rows_tell_nothing() -> None:
    assert told(rows("Lager", "Weg", "Weg"), IN, OUT, OUT) == []


def test_rows_that_all_say_another_choice_tell_nothing() -> None:
    four = STATE.model_copy(update={"choices": ("a", "b", "c", "d")})
    page = rows("Eins", "Zwei", "Drei", "Vier")
    assert list(otherwise_readers(four, cells(page, *"abcd"), ())) == []
    page = rows("Eins", "Zwei", "Drei", "Vier", "Zwei")
    assert list(otherwise_readers(four, cells(page, *"abcdb"), ())), "one again"


def test_one_row_that_differs_tells_no_yes_from_a_no() -> None:
    page, open_ = rows("Tak", "Tak", "Tak", "Wcale"), (True, True, True, False)
    assert list(otherwise_readers(OPEN, cells(page, *open_), ())) == []
    page, open_ = rows("Tak", "Wcale", "Tak", "Wcale"), (True, False, True, False)
    assert list(otherwise_readers(OPEN, cells(page, *open_), ()))


def test_a_flag_is_told_by_words_that_stand_where_it_is_true_alone() -> None:
    known = [True, False, True, True, False, False, True, False] * 2
    items = [
        f"<b>Flat {at}</b><p>{at} rooms{', with a garden' * flag}</p>"
        for at, flag in enumerate(known)
    ]
    page = document("".join(f"<li>{item}</li>" for item in items))
    found = list(otherwise_readers(OPEN, cells(page, *known), ()))
    assert found
    for one in found:
        assert [
            read(one.reader, scope(page, "li", at), OPEN) for at in range(16)
        ] == known
    daily = OPEN.model_copy(update={"volatile": True})
    assert list(otherwise_readers(daily, cells(page, *known), ())) == []


def test_a_row_that_is_no_more_what_is_known_of_it_hinders_no_words() -> None:
    words, known = ["Lager", "Weg"] * 11, [IN, OUT] * 11
    answers = told(rows("Weg", *words[1:]), *known)
    assert answers and all(each == [OUT, *known[1:]] for each in answers)
    assert told(rows("Weg", "Lager", *words[2:]), *known) == []


@pytest.mark.parametrize(
    "row",
    [
        "<p>No. {at} · {word} · goods</p>",  # a part of a text
        "<p><b>No. {at}</b> · {word} · goods</p>",  # of one behind an element
        "<p><i>Status</i> {word}</p>",
        "{gap}<p>Status: {word} ({at} offers)</p>{rest}",  # behind its label, wherever it is
    ],
)
def test_a_choice_is_told_behind_a_label_or_by_a_part_of_a_text(row: str) -> None:
    words, known = ("Lager", "Weg", "Lager", "Weg"), [IN, OUT, IN, OUT]
    filled = (
        row.format(word=word, at=at, gap="<p>x</p>" * at, rest="<p>y</p>" * (at % 3))
        for at, word in enumerate(words)
    )
    page = document("".join(f"<li><h3>Ware</h3>{text}</li>" for text in filled))
    answers = told(page, *known)
    assert answers and all(each == known for each in answers)


PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
PRICES = (Decimal("12.90"), Decimal("4.05"), Decimal(210))


def prices(scopes: list[Scope]) -> list[list[Decimal]]:
    samples = [KnownCell(one, price) for one, price in zip(scopes, PRICES, strict=True)]
    found = otherwise_readers(PRICE, samples, ())
    return [
        [Decimal(str(read(one.reader, scope, PRICE))) for scope in scopes]
        for one in found
    ]


def test_numbers_of_rows_are_read_in_the_old_unit() -> None:
    page = rows("1290 cents", "405 cents", "21000 cents")
    answers = prices([scope(page, "li", at) for at in range(3)])
    assert answers and all(tuple(one) == PRICES for one in answers)


def json_cells(said: Sequence[Mapping[str, object]], *values: Value) -> list[KnownCell]:
    page = document(json.dumps(said), kind="application/json")
    rows = zip(said, values, strict=True)
    return [KnownCell(Scope(page, (0,), row), value) for row, value in rows]


def test_numbers_of_json_as_well() -> None:
    said = [{"id": at, "minor": cents} for at, cents in enumerate((1290, 405, 21000))]
    (answer,) = prices([cell.scope for cell in json_cells(said, *PRICES)])
    assert tuple(answer) == PRICES


FLAGS = (True, False, True, False, True)
TELLING = {True: "ACTIVE", False: "CLOSED"}


def flags(
    said: Sequence[Mapping[str, object]],
    spec: FieldSpec = OPEN,
    values: tuple[Value, ...] = FLAGS,
) -> dict[str, list[object]]:
    """What each key of JSON that speaks of a field says, row by row."""
    cells = json_cells(said, *values)
    found = otherwise_readers(spec, cells, ())
    return {
        one.reader.at: [read(one.reader, cell.scope, spec) for cell in cells]
        for one in found
    }


# Words of JSON are those of a program, but they are proved as those of a page: an API
# that says "OPEN" for true is red for ever without them.
def test_words_of_json_stand_for_a_yes_or_no() -> None:
    said = [{"id": at, "state": TELLING[flag]} for at, flag in enumerate(FLAGS)]
    assert flags(said) == {"$.state": list(FLAGS)}


def test_words_of_json_stand_for_choices() -> None:
    values = (IN, OUT, IN, OUT)
    said = [{"at": {"code": "L" if value == IN else "X"}} for value in values]
    assert flags(said, STATE, values) == {"$.at.code": list(values)}


def test_a_key_called_as_the_field_goes_before_one_that_agrees_with_it() -> None:
    said = [
        {"side": "left" if flag else "right", "open_state": TELLING[flag]}
        for flag in FLAGS
    ]
    assert flags(said) == {"$.open_state": list(FLAGS)}


def test_a_choice_that_one_row_of_json_has_tells_nothing() -> None:
    values = (True, True, True, False)
    assert flags([{"state": TELLING[flag]} for flag in values], OPEN, values) == {}


@pytest.mark.parametrize(
    "odd", [{"state": "CLOSED"}, {"state": "PAUSED"}, {"state": None}, {}]
)
def test_a_row_of_json_that_says_otherwise_contradicts_its_key(
    odd: dict[str, object],
) -> None:
    said: list[dict[str, object]] = [{"state": TELLING[flag]} for flag in FLAGS]
    assert flags([odd, *said[1:]]) == {}


def cell_flags(page: Document, open_: FieldSpec, *values: bool) -> list[list[object]]:
    """What each reader makes of all rows of a table, the last of which are not known."""
    rows_of = [scope(page, "tr", at) for at in range(len(page.by_tag["tr"]))]
    samples = [
        KnownCell(one, value) for one, value in zip(rows_of, values, strict=False)
    ]
    found = otherwise_readers(open_, samples, ())
    return [[read(one.reader, each, open_) for each in rows_of] for one in found]


def test_a_cell_with_a_text_or_without_one_says_a_flag() -> None:
    """Another text than the known one says nothing: it may be another word for no."""
    cells_of = ["B", "", "", "B", "B", "", "C"]
    page = document(
        "".join(
            f"<tr><td>Ware {'xyz'[at % 3]}</td><td>{cell}</td><td>{'B' * (at % 2)}</td></tr>"
            for at, cell in enumerate(cells_of)
        )
    )
    known = (True, False, False, True)
    found = cell_flags(page, OPEN, *known)
    assert found
    assert all(one == [*known, True, False, None] for one in found)
    volatile = OPEN.model_copy(update={"volatile": True})
    assert cell_flags(page, volatile, *known) == []


def test_a_row_without_the_cell_says_neither() -> None:
    cells_of = ["<td>B</td>", "<td></td>", "<td></td>", "<td>B</td>", "", "<td>B</td>"]
    page = document("".join(f"<tr><td>Ware</td>{cell}</tr>" for cell in cells_of))
    known = (True, False, False, True)
    found = cell_flags(page, OPEN, *known)
    assert [True, False, False, True, None, True] in found
    assert cell_flags(page, OPEN, *known, False, True) == []
