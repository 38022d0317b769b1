"""What a lesson says of JSON that still says what was known of a page."""

import json
from collections.abc import Callable
from functools import partial

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program, Source
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.lesson import learn_lessons
from crawloop_assets.induce.stale_json import stale_roots
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

number = partial(FieldSpec, kind=FieldKind.NUMBER, volatile=True)
SCHEMA = RecordSchema(
    name="Hostel",
    fields=(
        FieldSpec(name="ref", required=True),
        number(name="price", required=True),
        number(name="rating"),
        number(name="beds"),
    ),
)
NAMES = ("Old Mill", "Two Yews", "The Track", "Holm Oak", "Heather House")
MOVED = 3  # the page whose rating is another one now
Hostel = dict[str, str]


def then(at: int) -> Hostel:
    return {
        "ref": NAMES[at],
        "price": f"{20 + 7 * at}.50",
        "rating": f"{6 + at}.3",
        "beds": str(31 + 4 * at),
    }


def now(at: int) -> Hostel:
    moved = {
        "price": f"{21 + 7 * at}.10",
        "rating": f"{6 + at}.{4 if at == MOVED else 3}",
    }
    return then(at) | moved


def page(at: int, shown: Hostel, stated: Hostel) -> Page:
    """A page that shows a price and a rating, and states all for machines."""
    data = {
        "hostel": {
            name: value if name == "ref" else float(value)
            for name, value in stated.items()
        }
    }
    pairs = zip(("Night", "Mark"), (shown["price"], shown["rating"]), strict=True)
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in pairs)
    body = (
        f"<html lang=en><head><title>{shown['ref']}</title></head><body><h1>{shown['ref']}</h1><dl>{rows}</dl>"
        f"<script type='application/json' id='state'>{json.dumps(data)}</script></body></html>"
    )
    headers = {"content-type": "text/html; charset=utf-8"}
    return Page(url=f"http://town.test/{at}", body=body.encode(), headers=headers)


KNOWN = [Example(page=at, records=(then(at),)) for at in range(len(NAMES))]


def first() -> Program:
    """The version of the days on which the JSON was kept up, and nothing else was there."""
    pages = [
        Page(
            url=one.url,
            body=one.body.replace(b"dl>", b"template>"),
            headers=one.headers,
        )
        for one in (page(at, then(at), then(at)) for at in range(len(NAMES)))
    ]
    made = compile_program(SCHEMA, pages, KNOWN, FamilyKind.DETAIL).program
    assert made is not None
    return made


def taught(
    stated: Callable[[int], Hostel], price: str
) -> tuple[HealedProgram, list[Page]]:
    """What a lesson of the first page makes of the new ones."""
    pages = [page(at, now(at), stated(at)) for at in range(len(NAMES))]
    lesson = Lesson(page=0, field="price", value=price)
    made = learn_lessons(SCHEMA, first(), pages, KNOWN, [lesson])
    assert made.program is not None, made.scores.reason
    return made, pages


def of_json(made: HealedProgram, name: str) -> bool:
    """Whether a field is read of the JSON of its page."""
    field = made.program.field(name) if made.program else None
    assert field is not None
    return Source.JSON in {reader.src for reader in field.all_readers}


def test_no_number_that_moves_is_read_of_json_that_is_not_kept_up() -> None:
    """What the page shows nowhere else is read as before."""
    made, pages = taught(then, now(0)["price"])
    assert made.program is not None
    assert made.elsewhere == {"rating"}
    assert [of_json(made, name) for name in ("ref", "rating", "beds")] == [
        True,
        False,
        True,
    ]
    for at, shown in enumerate(pages):
        (record,) = run(made.program, Document(shown)).records
        assert float(str(record.values["rating"])) == float(now(at)["rating"])


def test_json_that_moved_on_is_read_whatever_a_person_says_of_one_number() -> None:
    made, _ = taught(
        lambda at: now(at) | {"price": f"{now(at)['price']}7"}, now(0)["price"]
    )
    assert not made.elsewhere
    assert of_json(made, "rating")


@pytest.mark.parametrize(
    ("field", "value", "is_stale"),
    [
        ("price", "21.10", True),
        ("price", "20.50", False),
        ("price", None, True),
        ("ref", "New Mill", False),
    ],
)
def test_which_json_is_not_kept_up(
    field: str, value: str | None, is_stale: bool
) -> None:
    """That of a number that moves, where a person says another one than was known."""
    pages = [page(at, now(at), then(at)) for at in range(2)]
    lessons = [Lesson(page=0, field=field, value=value)]
    found = stale_roots(SCHEMA, first(), pages, KNOWN[:1], lessons)
    assert found == ({"js:state"} if is_stale else set())
    rows = first().model_copy(update={"kind": FamilyKind.LISTING})
    assert not stale_roots(SCHEMA, rows, pages, KNOWN[:1], lessons)
