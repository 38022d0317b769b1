"""One voice for each reader, where they part over what is crossed out."""

import pytest

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.document.build import document

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)
READERS = (
    Reader(src=Source.LABEL, at="price", get="block", weight=0.8),
    Reader(src=Source.CSS, at="p", weight=0.2),
    Reader(src=Source.CSS, at="b", weight=0.2),
)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("<del>50 €</del> <b>40 €</b>", ("40", 0.6667)),
        ("<b>40 €</b>", ("40", 1.0)),
        ("<i>50 €</i></p><p>40 € <b>40 €</b>", ("50", 0.8333)),
    ],
)
def test_a_label_does_not_outvote_all_others_with_a_former_price(
    shown: str, said: tuple[str, float]
) -> None:
    page = document(f"<p><span>Price</span> {shown}</p>")
    field = FieldProgram(spec=PRICE, readers=READERS)
    value, vote = vote_on(field, Scope(page))
    assert (value, vote.agreement) == said
