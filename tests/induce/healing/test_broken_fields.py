"""Fields that are no longer read in records that are still found."""

import json
import re
from collections.abc import Mapping, Sequence

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.broken_fields import BrokenFields
from crawloop_assets.induce.healing.listing import heal_listing
from crawloop_assets.induce.healing.rows import field_names, rows_read
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.induce.lamps import BY_COUNT, LAMPS, ROWS, listing, rows_read_by
from tests.induce.pages import page

DOCUMENT = Document(listing())
FIELDS = field_names(rows_read_by("div.row", BY_COUNT))


def broken(*names: str) -> Program:
    return rows_read_by("div.row", BY_COUNT | dict.fromkeys(names, (".gone",)))


def healed(
    program: Program,
    lost: set[str],
    known: list[dict[str, Value]],
    document: Document = DOCUMENT,
) -> tuple[Program, frozenset[str]]:
    examples = [Example(page=0, records=tuple(known))]
    alive = FIELDS - lost
    fields = BrokenFields(LAMPS, program, [document], examples, examples, alive)
    return fields.heal()


def test_a_field_is_read_again_by_known_values_in_records_the_others_tell_apart() -> (
    None
):
    program, sure = healed(broken("code"), {"code"}, ROWS)
    assert rows_read(program, DOCUMENT) == ROWS
    assert sure == FIELDS
    code = program.field("code")
    assert code is not None and code.usual == 0
    before = broken("code")
    assert program.field("name") == before.field("name"), "what works is left alone"


def test_fields_that_are_alive_are_left_alone_whatever_they_read() -> None:
    program, sure = healed(broken("code"), set(), ROWS)
    assert program == broken("code")
    assert sure == FIELDS


def test_known_values_that_changed_since_teach_nothing() -> None:
    changed = [row | {"code": "a text of another kind altogether"} for row in ROWS]
    program, sure = healed(broken("code"), {"code"}, changed)
    assert "code" not in sure
    field = program.field("code")
    assert field is not None
    if field != broken("code").field("code"):
        assert len(field.readers) == 1, "a guess keeps one reader"


def test_a_single_known_record_is_no_proof_but_its_look_may_be_enough() -> None:
    program, _ = healed(broken("code"), {"code"}, ROWS[:1])
    assert rows_read(program, DOCUMENT)[0]["name"] == ROWS[0]["name"]
    bare: list[dict[str, Value]] = [{"name": row["name"]} for row in ROWS]
    _, sure = healed(broken("code"), {"code"}, bare)
    assert sure >= FIELDS - {"code"}


def test_records_that_several_rows_may_be_are_told_by_their_look() -> None:
    twins = [ROWS[0] | {"code": f"LX{at * 37}"} for at in range(6)]
    cells = ""
    for row in twins:
        spans = [f"<span class='c-{key}'>{row[key]}</span>" for key in row]
        cells += f"<div class='row'>{''.join(spans)}</div>"
    document = Document(page(0, f"<html><body>{cells}</body></html>"))
    program, _ = healed(broken("code"), {"code"}, twins, document)
    codes = [row.get("code") for row in rows_read(program, document)]
    assert codes in ([row["code"] for row in twins], [None] * 6)


@pytest.mark.parametrize(("label", "is_cut"), [("No. ", True), ("Maker ", False)])
def test_words_that_all_rows_have_beside_a_field_are_no_part_of_it(
    label: str, *, is_cut: bool
) -> None:
    """Of rows that are all new, which other fields tell apart from nothing known."""
    rows = [row | {"code": f"LX{at * 371}"} for at, row in enumerate(ROWS, 21)]
    known = [
        row | {"name": f"Old {row['name']}", "maker": f"Old {row['maker']}"}
        for row in ROWS
    ]
    body = listing().body.decode()
    for row, old in zip(rows, ROWS, strict=True):
        body = body.replace(f">{old['code']}<", f">{label}{row['code']}<")
    document = Document(page(0, body))
    before = rows_read_by("div.row", BY_COUNT)
    program, sure = healed(before, {"code"}, known, document)
    assert ("code" in sure) is is_cut
    read = [row["code"] for row in rows_read(program, document)]
    assert (read == [row["code"] for row in rows]) is is_cut


def test_a_field_that_is_nowhere_stays_as_it_is() -> None:
    body = re.sub(r"<span class='c-code'>.*?</span>", "", listing().body.decode())
    gone = Document(page(0, body))
    words = [
        "moss",
        "fern",
        "oak",
        "elm",
        "ash",
        "yew",
        "pine",
        "larch",
        "beech",
        "birch",
        "alder",
        "rowan",
    ]
    without = [
        row | {"code": f"{word} from the north"}
        for row, word in zip(ROWS, words, strict=True)
    ]
    program, sure = healed(broken("code"), {"code"}, without, gone)
    assert program.field("code") == broken("code").field("code")
    assert sure == FIELDS - {"code"}


def counted_by(
    cells: Sequence[str], known: Sequence[Mapping[str, Value]]
) -> tuple[Program, frozenset[str], list[dict[str, Value]]]:
    """What reads rows of which the code is a count that has moved in all of them."""
    seen = FieldSpec(name="code", kind=FieldKind.INTEGER, volatile=True)
    fields = tuple(seen if one.name == "code" else one for one in LAMPS.fields)
    schema = LAMPS.model_copy(update={"fields": fields})
    body = "".join(f"<div class='row'>{one}</div>" for one in cells)
    page_now = Document(page(0, f"<html><body>{body}</body></html>"))
    program = broken("code")
    specified = tuple(
        one.model_copy(update={"spec": schema.field(one.spec.name)})
        for one in program.fields
    )
    program = program.model_copy(update={"fields": specified})
    whole = [Example(page=0, records=tuple(known))]
    left = [{k: v for k, v in row.items() if k != "code"} for row in known]
    unmoved = [Example(page=0, records=tuple(left))]
    lost = FIELDS - {"code"}
    made, sure = BrokenFields(schema, program, [page_now], unmoved, whole, lost).heal()
    return made, sure, rows_read(made, page_now)


def test_a_count_that_moved_in_all_rows_is_the_column_of_numbers_near_it() -> None:
    known = [row | {"code": 90 * at} for at, row in enumerate(ROWS, 1)]
    cells = [
        f"<span>{row['name']}</span><span>{row['maker']}</span>"
        f"<span>{row['made']}</span><u>{2 * at}</u><u>{90 * at + 6}</u>"
        for at, row in enumerate(known, 1)
    ]
    _, sure, rows = counted_by(cells, known)
    assert "code" in sure
    assert [row["code"] for row in rows] == [90 * at + 6 for at in range(1, 13)]


def test_a_count_is_read_where_nothing_is_read_in_a_row_that_lacks_it() -> None:
    known = [
        row | {"code": 90 * at, "maker": str(10 + at)} for at, row in enumerate(ROWS, 1)
    ]
    cells = [
        f"<span>{row['name']}</span><span>{row['maker']}</span><span>{row['made']}</span>"
        f"<u>{row['maker']}</u><u>{90 * at + 6}</u>"
        for at, row in enumerate(known, 1)
    ]
    cells[4] = cells[4].replace("<u>456</u>", "")
    del known[4]["code"]
    _, _, rows = counted_by(cells, known)
    assert rows[3]["code"] == 366
    assert "code" not in rows[4]


def test_a_few_known_counts_that_another_number_is_do_not_find_a_count() -> None:
    counts = [3, 0, 7, 11, 15, 0, 19, 23, 27, 0, 31, 35]
    seen = FieldSpec(name="code", kind=FieldKind.INTEGER, volatile=True)
    fields = tuple(seen if one.name == "code" else one for one in LAMPS.fields)
    schema = LAMPS.model_copy(update={"fields": fields})
    known = [row | {"code": one} for row, one in zip(ROWS, counts, strict=True)]
    body = "".join(
        f"<div class='row'><span>{row['name']}</span><span>{row['maker']}</span>"
        f"<span>{row['made']}</span><u>-</u><u>9:00 to 22:00</u></div>"
        for row in known
    )
    shown = Document(page(0, f"<html><body>{body}</body></html>"))
    whole = [Example(page=0, records=tuple(known))]
    left = [{k: v for k, v in row.items() if k != "code" or not v} for row in known]
    unmoved = [Example(page=0, records=tuple(left))]
    old = broken("code")
    specified = [
        one.model_copy(update={"spec": schema.field(one.spec.name)})
        for one in old.fields
    ]
    program = old.model_copy(update={"fields": tuple(specified)})
    rest = FIELDS - {"code"}
    made = BrokenFields(schema, program, [shown], unmoved, whole, rest).counted()
    assert made.field("code") is None


def seen_in(
    rows: Sequence[Mapping[str, Value]], seen: str, *, volatile: bool = True
) -> tuple[Value, ...] | None:
    """What is read of `seen` where an API calls all else otherwise; None if nothing reads it."""
    specs = [FieldSpec(name=name, required=True) for name in ("sku", "title", "maker")]
    specs.append(FieldSpec(name="seen", kind=FieldKind.DATETIME, volatile=volatile))
    schema = RecordSchema(name="Part", fields=tuple(specs))
    readers = {
        one.name: Reader(src=Source.JSON, at=f"$.{one.name}", get="value", kin=Kin.JSON)
        for one in specs
    }
    record = Boundary(
        mode=BoundaryMode.JSON, at="body.parts[*]", keep_if=("sku", "title")
    )
    program = Program(
        kind=FamilyKind.LISTING,
        record=record,
        fields=tuple(
            FieldProgram(spec=one, readers=(readers[one.name],)) for one in specs
        ),
    )
    known = [dict(row) | {"seen": "2026-11-02T08:30:00Z"} for row in rows]
    renamed = {"sku": "number", "title": "name", "maker": "brand", "seen": seen}
    now = [{renamed[name]: row[name] for name in renamed} for row in rows]
    body = json.dumps({"found": {"parts": now}}).encode()
    kind = {"content-type": "application/json"}
    document = Document(Page(url="http://parts.test/all", body=body, headers=kind))
    made = heal_listing(
        schema, program, [document], [Example(page=0, records=tuple(known))]
    )
    assert made.program is not None
    if made.program.field("seen") is None:
        return None
    return tuple(row["seen"] for row in rows_read(made.program, document))


def test_what_moved_in_all_rows_is_read_by_the_key_that_it_still_has() -> None:
    """Of what hardly ever changes, under another key, or in another form, a person is asked."""
    rows = [
        {
            "sku": f"P-{at}",
            "title": f"Valve {at * 7}",
            "maker": f"{at} and Sons",
            "seen": f"2026-11-{at + 4:02}T10:00:00Z",
        }
        for at in range(9)
    ]
    found = seen_in(rows, "seen")
    assert found is not None
    assert [str(one)[:10] for one in found] == [str(row["seen"])[:10] for row in rows]
    assert seen_in(rows, "last_seen") is None
    assert seen_in(rows, "seen", volatile=False) is None
    assert seen_in([row | {"seen": "a while ago"} for row in rows], "seen") is None


def test_a_place_in_a_row_is_no_name() -> None:
    """Another day stands there since."""
    names = ("sku", "title", "maker", "seen")
    specs = [FieldSpec(name=name, required=name != "seen") for name in names[:3]]
    specs.append(FieldSpec(name="seen", kind=FieldKind.DATE, volatile=True))
    fields = tuple(
        FieldProgram(
            spec=spec, readers=(Reader(src=Source.CSS, at=f"> td:nth-of-type({at})"),)
        )
        for at, spec in enumerate(specs, 1)
    )
    record = Boundary(mode=BoundaryMode.NODES, at="tr", keep_if=names[:3])
    program = Program(kind=FamilyKind.LISTING, record=record, fields=fields)
    known = [
        {
            "sku": f"P-{at}",
            "title": f"Valve {at * 7}",
            "maker": f"{at} and Sons",
            "seen": "2026-11-02",
        }
        for at in range(9)
    ]
    lines = "".join(
        f"<tr><td>{row['title']}<td>{row['sku']}<td>{row['maker']}<td>2019-03-{at + 4:02}<td>2026-11-{at + 4:02}</tr>"
        for at, row in enumerate(known)
    )
    body = f"<html><body><table>{lines}</table></body></html>"
    made = heal_listing(
        RecordSchema(name="Part", fields=tuple(specs)),
        program,
        [Document(page(0, body))],
        [Example(page=0, records=tuple(known))],
    ).program
    assert made is not None and made.field("title") is not None
    assert made.field("seen") is None
