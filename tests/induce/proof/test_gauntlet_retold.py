"""A name that is stated with few words more or less is counted apart from one that is another."""

import json

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema

DISH = RecordSchema(
    name="Dish",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="cook"),
        FieldSpec(name="yields"),
    ),
)
KNOWN = {"name": "Summer leek broth", "cook": "Ada Marsh", "yields": "4 bowls"}
READS = Program(
    fields=tuple(
        FieldProgram(
            spec=spec,
            readers=(
                Reader(src=Source.JSON, at=f"ld:Recipe.{spec.name}", get="value"),
            ),
        )
        for spec in DISH.fields
    )
)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("Summer leek broth for two", (0, 1, 1)),
        ("Leek broth", (0, 1, 1)),
        ("Onion soup", (0, 1, 0)),
        ("Summer leek broth", (1, 0, 0)),
    ],
)
def test_retold(name: str, counts: tuple[int, int, int]) -> None:
    data = json.dumps({"@type": "Recipe", **KNOWN, "name": name})
    html = f"<script type='application/ld+json'>{data}</script><p>Broth</p>"
    page = Page(url="http://broth.test/leek", body=html.encode())
    sheet = prove(DISH, READS, [page], [Example(page=0, records=(KNOWN,))], None)
    score = sheet.field("name")
    assert score is not None
    assert (score.right, score.changed, score.retold) == counts
