"""Rows that stand apart from all known records: another list, or more of the same in a group."""

from collections.abc import Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.apart import strange_rows
from crawloop_assets.induce.listing.boundary import boundaries
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.listing.occurrences import Occurrences
from crawloop_assets.induce.listing.programs import program_from
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.listing.documents import document

FIELDS = RecordSchema(
    name="Seed",
    fields=(
        FieldSpec(name="no", required=True),
        FieldSpec(name="name", required=True),
        FieldSpec(name="grams", kind=FieldKind.INTEGER),
        FieldSpec(name="days", kind=FieldKind.INTEGER),
    ),
)
SEEDS = [
    {
        "no": f"S{40 + 7 * at}",
        "name": f"{name} early",
        "grams": 11 + 4 * at,
        "days": 90 - at,
    }
    for at, name in enumerate(
        [
            "Aster",
            "Basil",
            "Chard",
            "Dill",
            "Endive",
            "Fennel",
            "Garlic",
            "Hyssop",
            "Iris",
            "Kale",
        ]
    )
]


def table(rows: Sequence[dict[str, object]], names: Sequence[str]) -> str:
    heads = "".join(f"<th>{name}</th>" for name in names)
    body = "".join(
        f"<tr>{''.join(f'<td>{row[name]}</td>' for name in names)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def page(*apart: str, known: int = 10) -> Document:
    first = table(SEEDS[:known], ("no", "name", "grams", "days"))
    return document(
        f"<main class='all'><div class='own'>{first}</div>{''.join(apart)}</main>"
    )


OTHERS = [
    {"no": f"X{at}", "name": f"Sample {at}", "grams": at, "days": at} for at in range(4)
]
RELATED = table(OTHERS, ("no", "name", "grams"))
GROUP = table(OTHERS, ("no", "name", "grams", "days"))


def counts(of: Document, known: int = 10) -> dict[str, int]:
    """How many strange rows each boundary of the page finds that has all known records."""
    found = {}
    for candidate in boundaries(FIELDS, Occurrences(of), SEEDS[:known]):
        program = program_from(FIELDS, of, SEEDS[:known], candidate)
        if program is not None and len(candidate.known) == known:
            found[candidate.boundary.at] = strange_rows(program, candidate)
    return found


def rows_read(of: Document) -> list[object]:
    known = Example(page=0, records=tuple(SEEDS))
    best = induce_on(FIELDS, [of], [known])[0].program
    return [record.values["no"] for record in run(best, of).records]


def test_a_table_of_fewer_columns_is_another_list() -> None:
    found = counts(page(RELATED))
    assert 4 in found.values() and 0 in found.values()
    assert rows_read(page(RELATED)) == [seed["no"] for seed in SEEDS]


def test_more_of_the_same_in_another_group_are_records() -> None:
    assert set(counts(page(GROUP)).values()) == {0}
    assert rows_read(page(GROUP)) == [one["no"] for one in (*SEEDS, *OTHERS)]


def test_one_row_that_is_read_as_all_are_speaks_for_the_others() -> None:
    mixed = RELATED.replace("<td>0</td>", "<td>0</td><td>7</td>")
    assert set(counts(page(mixed)).values()) == {0}


def test_of_few_known_records_the_others_may_be_groups() -> None:
    assert set(counts(page(RELATED, known=6), known=6).values()) == {0}


def test_rows_beside_known_ones_are_no_other_list() -> None:
    of = document(
        table([*SEEDS, *OTHERS], ("no", "name", "grams", "days")).replace(
            "<td>3</td><td>3</td>", "<td>3</td>"
        )
    )
    assert set(counts(of).values()) == {0}
