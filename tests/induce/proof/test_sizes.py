"""The known picture in another size is told from another picture."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader, Source
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.sizes import is_other_size
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

PICTURE = FieldSpec(name="picture", kind=FieldKind.URL)
KNOWN = "https://dulse.example/w_2880/leek-broth.jpg"


@pytest.mark.parametrize(
    ("read", "reader", "other_size"),
    [
        (
            "https://dulse.example/w_1280/leek-broth.jpg",
            'meta[property="og:image"]',
            True,
        ),
        ("https://dulse.example/w_1280/leek-broth.jpg", "ld:Recipe.image", True),
        ("https://dulse.example/w_1280/leek-broth.jpg", ".lead", False),
        ("https://dulse.example/w_1280/onion-soup.jpg", "ld:Recipe.image", False),
        ("https://[dulse/leek-broth.jpg", "ld:Recipe.image", False),
        (None, "ld:Recipe.image", False),
    ],
)
def test_a_stated_picture(read: str | None, reader: str, other_size: bool) -> None:
    assert is_other_size(PICTURE, KNOWN, read, reader) is other_size


@pytest.mark.parametrize(
    ("known", "read", "other_size"),
    [
        ("leek-broth-720x720.jpg", "leek-broth.jpg", True),
        ("leek-broth-720x720.jpg", "leek-broth_1200x630.jpg", True),
        ("leek-broth-2.jpg", "leek-broth.jpg", False),
        ("leek-broth-720x720-ladle.jpg", "leek-broth.jpg", False),
        ("b-720x720.jpg", "b.jpg", False),
    ],
    ids=["a part of it", "two parts", "the second one", "of what it shows", "any name"],
)
def test_the_measures_behind_a_name_are_none_of_it(
    known: str, read: str, other_size: bool
) -> None:
    known, read = (f"https://dulse.example/up/{name}" for name in (known, read))
    assert is_other_size(PICTURE, known, read, "ld:Recipe.image") is other_size


@pytest.mark.parametrize(
    ("spec", "known", "read"),
    [
        (PICTURE, "https://dulse.example/a/1.jpg", "https://dulse.example/b/1.jpg"),
        (
            PICTURE,
            "https://dulse.example/a/index.html",
            "https://dulse.example/b/index.html",
        ),
        (PICTURE.model_copy(update={"shape": Shape.LIST}), KNOWN, KNOWN),
        (FieldSpec(name="picture"), KNOWN, KNOWN),
    ],
)
def test_what_tells_no_picture(spec: FieldSpec, known: str, read: str) -> None:
    assert not is_other_size(spec, known, read, "ld:Recipe.image")


@pytest.mark.parametrize(
    ("stated", "counts"),
    [("w_1280/leek-broth.jpg", (0, 1)), ("w_1280/onion-soup.jpg", (1, 0))],
)
def test_the_known_size_among_others_speaks_against_no_other_one(
    stated: str, counts: tuple[int, int]
) -> None:
    at = 'meta[property="og:image"]'
    reader = Reader(src=Source.CSS, at=at, get="@content", kin=Kin.META)
    schema = RecordSchema(name="Dish", fields=(PICTURE,))
    program = Program(fields=(FieldProgram(spec=PICTURE, readers=(reader,)),))
    html = (
        f"<head><meta property='og:image' content='https://dulse.example/{stated}'></head>"
        f"<body><p>Broth</p><img srcset='{KNOWN} 2880w, /w_160/leek-broth.jpg 160w'></body>"
    )
    page = Page(url="https://dulse.example/leek", body=html.encode())
    known = Example(page=0, records=({"picture": KNOWN},))
    score = prove(schema, program, [page], [known], None).field("picture")
    assert score is not None
    assert (score.wrong, score.changed) == counts
