"""The text of a page in order: nothing lost, nothing twice, and each element's part of it in one run."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.document import Document
from tests.document.build import document

PARTS = st.lists(
    st.sampled_from(
        ["<div>", "</div>", "<b>", "</b>", "<p>", "<script>", "</script>", "<!-- note -->", "<br>", "<template>",
         "</template>", "<li>", "</li>", "one ", "two", " ", "<td>", "<h1>", "</h1>"]
    ),
    max_size=40,
)  # fmt: skip
SILENT = ("script", "style", "head", "template", "noframes")


def shown(page: Document, number: int) -> str:
    """The text inside an element, as a walk over the tree itself gives it."""
    element = page.elements[number]
    if any(one.tag in SILENT for one in (element, *element.iterancestors())):
        return ""
    inside = [element.text or ""]
    for child in element:
        if child in page.number:
            inside.append(shown(page, page.number[child]))
        inside.append(child.tail or "")
    return "".join(inside)


@given(PARTS)
def test_the_pieces_of_an_element_are_its_text(parts):
    page = document("".join(parts) or "x")
    for number in range(len(page.elements)):
        pieces = page.pieces[page.first_piece[number] : page.last_piece[number]]
        assert "".join(piece.text for piece in pieces if piece.owner >= 0) == shown(
            page, number
        )


@given(PARTS)
def test_places_among_siblings_count_elements_only(parts):
    page = document("".join(parts) or "x")
    for number, element in enumerate(page.elements):
        before = [
            one for one in element.itersiblings(preceding=True) if one in page.number
        ]
        assert page.position(number, "nth-child") == 1 + len(before)
        assert page.position(number, "nth-of-type") == 1 + sum(
            one.tag == element.tag for one in before
        )
        after = [one for one in element.itersiblings() if one in page.number]
        assert page.position(number, "nth-last-of-type") == 1 + sum(
            one.tag == element.tag for one in after
        )
