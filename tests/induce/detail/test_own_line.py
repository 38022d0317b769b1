"""Places by position that other pages have in another line of a table of terms."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind, Kin, Reader, Source
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.own_line import behind_own_label
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape

SCHEMA = RecordSchema(
    name="Patent",
    fields=(FieldSpec(name="agent"), FieldSpec(name="inventors", shape=Shape.LIST)),
)
LINE = "<tr><td>{}</td><td class=t>{}</td><td class=v>{}</td></tr>"
NAMES = ("Ada Reed", "Bo Hall", "Cy Moss", "Di Lane", "Ed Voss", "Flo Beck")


def page(at: int, priority: str = "", label: str = "Vertreter") -> Page:
    lines = [
        LINE.format(22, "Anmeldetag", f"{at + 1}.3.2020"),
        LINE.format(30, "Priorität", priority) if priority else "",
        LINE.format(72, "Erfinder", f"{NAMES[at]} Sr<br>{NAMES[at]} Jr"),
        LINE.format(74, label, f"{NAMES[at]} LLP"),
        LINE.format("", "Ansprüche", at + 7),
    ]
    body = f"<html><body><table>{''.join(lines)}</table></body></html>"
    headers = {"content-type": "text/html"}
    return Page(url=f"https://register.test/{at}", body=body.encode(), headers=headers)


def known(at: int) -> Example:
    names = [f"{NAMES[at]} Sr", f"{NAMES[at]} Jr"]
    record = {"agent": f"{NAMES[at]} LLP", "inventors": names}
    return Example(page=at, records=(record,))


def readers(pages: list[Page]) -> dict[str, Reader]:
    kind, examples = FamilyKind.DETAIL, [known(0), known(1)]
    program = compile_program(SCHEMA, pages, examples, kind, may_guess=True).program
    assert program is not None
    return {one.spec.name: one.readers[0] for one in program.fields}


def test_where_a_line_moves_a_value_is_read_behind_its_label() -> None:
    others = [page(2), page(3, priority="US 1"), page(4, priority="US 2"), page(5)]
    found = readers([page(0), page(1), *others])
    assert {one.src for one in found.values()} == {Source.LABEL}
    assert found["agent"].at == "vertreter"
    assert found["inventors"].at == "erfinder"


BY_POSITION = Reader(
    src=Source.CSS, at="tr:nth-of-type(3) > td:nth-of-type(3)", kin=Kin.PATH
)
BEFORE = Reader(src=Source.LABEL, at="ansprüche", get="before")
BEHIND = Reader(src=Source.LABEL, at="vertreter", get="block")


def kept(
    pages: list[Page], right: int = 2, other: Reader = BY_POSITION
) -> list[Reader]:
    """Of some reader and one behind a label, which reads `right` known values."""
    tried = [
        Tried(CandidateReader(reader, 0.1, 0.0), right=count, wrong=0, silent=0)
        for reader, count in ((other, 2), (BEHIND, right))
    ]
    left = behind_own_label(tried, list(map(Document, pages)))
    return [one.candidate.reader for one in left]


def test_a_position_is_left_out_where_its_line_moves_and_a_label_reads_as_much() -> (
    None
):
    moved = [*map(page, range(5)), page(5, priority="US 1")]
    assert kept(moved) == [BEHIND]
    assert kept(moved, right=1) == [BY_POSITION, BEHIND]
    assert kept(moved[:5]) == [BY_POSITION, BEHIND]


def test_what_few_pages_have_is_no_label() -> None:
    few = [page(0), *(page(at, label=f"{NAMES[at]}:") for at in range(1, 5))]
    assert kept(few) == [BY_POSITION, BEHIND]


def test_what_stands_before_the_next_label_is_in_another_line_elsewhere() -> None:
    lacking = [*map(page, range(4)), page(4, label="Zustelladresse")]
    assert kept(lacking, other=BEFORE) == [BEHIND]
    assert kept(lacking[:4], other=BEFORE) == [BEFORE, BEHIND]


def test_a_label_below_its_value_says_nothing_of_what_is_behind_it() -> None:
    box = "<div><b>{}</b><i>{}</i></div>"

    def boxed(at: int, label: str) -> Page:
        inside = box.format(at, label) + box.format(f"{at} kg", "Gewicht")
        made = page(at)
        return Page(url=made.url, body=inside.encode(), headers=made.headers)

    boxes = [boxed(at, "Vertreter") for at in range(3)] + [boxed(3, "Erfinder")]
    before = Reader(src=Source.LABEL, at="gewicht", get="before")
    assert kept(boxes, other=before) == [before, BEHIND]
