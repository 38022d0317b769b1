"""Programs that learn words for numbers, and a proof that counts those that nobody knows."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.worded import with_worded_numbers, worded_by_few
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Boat",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True, volatile=True),
        FieldSpec(name="free", kind=FieldKind.INTEGER, volatile=True),
    ),
)
NAMES = ("Ada", "Brenda", "Clio", "Dorothea", "Elin", "Frida", "Greta", "Hedda")
FREE = (14, 0, 9, 31, 0, 22, 7, 18)
ROWS = 8
Known = list[Example]


def boat(at: int) -> dict[str, object]:
    name = f"Boat {NAMES[at % ROWS]} of {at // ROWS + 3}"
    return {"name": name, "price": f"{41 + 3 * at}.50", "free": FREE[at % ROWS]}


def old(one: dict[str, object]) -> str:
    return (
        f"<li class='boat'><h3>{one['name']}</h3><b class='price'>€{one['price']}</b>"
        f"<i class='free'>{one['free']} days</i></li>"
    )


def new(one: dict[str, object], sold: str = "Out at sea") -> str:
    free = f"Free on {one['free']} days" if one["free"] else sold
    return (
        f"<article><h4>{one['name']}</h4><div><em>€{one['price']}</em>"
        f"<u>{free}</u></div></article>"
    )


def as_page(at: int, body: str) -> Page:
    html = f"<html><body><main>{body}</main></body></html>"
    return Page(url=f"http://boats.test/{at}", body=html.encode(), headers={})


def listing(write: object) -> tuple[list[Page], Known]:
    assert callable(write)
    pages, known = [], []
    for at in range(3):
        boats = [boat(at * ROWS + row) for row in range(ROWS)]
        pages.append(as_page(at, "".join(map(write, boats))))
        known.append(Example(page=at, records=tuple(boats)))
    return pages, known


def detail(write: object) -> tuple[list[Page], Known]:
    assert callable(write)
    pages = [as_page(at, write(boat(at))) for at in range(ROWS)]
    known = [Example(page=at, records=(boat(at),)) for at in range(ROWS)]
    return pages, known


KINDS = [(FamilyKind.DETAIL, detail), (FamilyKind.LISTING, listing)]


def compiled(kind: FamilyKind, pages: list[Page], known: Known) -> Program:
    made = compile_program(SCHEMA, pages, known, kind).program
    assert made is not None
    return made


def free_of(program: Program, pages: list[Page]) -> list[object]:
    read = [run(program, Document(page)).records for page in pages]
    return [one.values.get("free") for rows in read for one in rows]


def taken(one: dict[str, object]) -> str:
    season = len(str(one["name"])) + 30
    said = new(one, f"All {season} days taken")
    return said.replace("Free on ", "").replace(" days<", f" of {season} days free<")


@pytest.mark.parametrize("shown", [new, taken], ids=["alone", "beside a number"])
@pytest.mark.parametrize(("kind", "family"), KINDS, ids=["detail", "listing"])
def test_a_redesign_that_says_none_in_words_is_healed(
    kind: FamilyKind, family: object, shown: object
) -> None:
    assert callable(family)
    program = compiled(kind, *family(old))
    pages, known = family(shown)
    healed = heal_program(SCHEMA, program, pages, known).program
    assert healed is not None
    wanted = [row["free"] for one in known for row in one.records]
    assert free_of(healed, pages) == wanted
    score = prove(SCHEMA, healed, pages, known, None).field("free")
    assert score is not None
    assert (score.worded, score.missed) == (0, False)


def test_a_heal_that_lost_a_field_learns_the_words_of_the_others() -> None:
    port = FieldSpec(name="port", required=True)
    schema = SCHEMA.model_copy(update={"fields": (*SCHEMA.fields, port)})
    before, known = detail(lambda one: f"{old(one)}<s>Port {str(one['name'])[5:8]}</s>")
    ported = [
        Example(
            page=one.page, records=({**row, "port": f"Port {str(row['name'])[5:8]}"},)
        )
        for one in known
        for row in one.records
    ]
    program = compile_program(schema, before, ported, FamilyKind.DETAIL).program
    assert program is not None
    pages, _ = detail(taken)
    healed = heal_program(schema, program, pages, ported)
    assert healed.program is None and healed.partial is not None
    assert free_of(healed.partial.without({"port"}), pages) == list(FREE)


@pytest.mark.parametrize(("kind", "family"), KINDS, ids=["detail", "listing"])
def test_a_proof_counts_words_that_nobody_knows(
    kind: FamilyKind, family: object
) -> None:
    assert callable(family)
    pages, known = family(new)
    numbers = [
        one.model_copy(
            update={
                "records": tuple(
                    {name: value for name, value in row.items() if value != 0}
                    for row in one.records
                )
            }
        )
        for one in known
    ]
    program = compiled(kind, pages, numbers)
    assert None in free_of(program, pages)
    score = prove(SCHEMA, program, pages, known, None).field("free")
    assert score is not None
    assert score.worded == sum(FREE.count(0) for _ in known) / (
        ROWS if kind is FamilyKind.DETAIL else 1
    )
    assert score.missed
    assert "are said in words" in score.reason
    score = prove(SCHEMA, program, pages, numbers, None, whole=True).field("free")
    assert score is not None
    assert not score.missed, "they are known to have none"
    taught = with_worded_numbers(SCHEMA, program, list(map(Document, pages)), known)
    assert None not in free_of(taught, pages)


def test_a_program_without_numbers_stays_as_it_is() -> None:
    pages, known = listing(old)
    schema = SCHEMA.without({"price", "free"})
    named = compile_program(schema, pages, known, FamilyKind.LISTING).program
    assert named is not None
    assert with_worded_numbers(schema, named, [], known) is named


def test_where_a_person_looks_one_record_tells_which_number_a_word_is() -> None:
    pages, known = listing(new)
    few = [Example(page=0, records=known[0].records[:3])]
    plain = compile_program(SCHEMA, pages, few, FamilyKind.LISTING).program
    guess = compile_program(SCHEMA, pages, few, FamilyKind.LISTING, may_guess=True)
    assert plain is not None and guess.program is not None
    documents = list(map(Document, pages))
    wanted = [row["free"] for one in known for row in one.records]
    assert free_of(guess.program, pages) == wanted
    assert free_of(plain, pages) == [one or None for one in wanted]
    assert list(worded_by_few(SCHEMA, guess.program, documents, few)) == ["free"]
    assert list(worded_by_few(SCHEMA, plain, documents, few)) == []
    sheet = prove_first(SCHEMA, guess.program, pages, few)
    assert "one example alone says which number a word of free is" in sheet.reason
    assert "free" in sheet.unnamed
    more = [Example(page=0, records=known[0].records)]
    assert list(worded_by_few(SCHEMA, guess.program, documents, more)) == []


def test_no_word_is_a_number_where_the_number_is_read() -> None:
    pages, known = listing(lambda one: f"{old(one)}<s>See the harbour</s>")
    few = [Example(page=0, records=known[0].records[:1])]
    program = compiled(FamilyKind.LISTING, pages, few)
    documents = list(map(Document, pages))
    assert with_worded_numbers(SCHEMA, program, documents, few, 0) == program
