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
def test_what_is_read_without_marks_is_what_the_marks_say(parts):
    page = document("".join(parts) or "x")
    texts, marks = page.columns.texts, page.columns.marks
    for number in range(len(page.elements)):
        inside = range(page.first_piece[number], page.last_piece[number])
        shown = [at for at in inside if marks[at] >= 0]
        holders = [
            page.parent[marks[at] >> 1] if marks[at] & 1 else marks[at] >> 1
            for at in shown
        ]
        assert [page.piece_parent(at) for at in shown] == holders
        own = [
            texts[at]
            for at, holder in zip(shown, holders, strict=True)
            if holder == number
        ]
        assert page.own_text(number) == " ".join(" ".join(own).split())
        lines = "".join(texts[at] if marks[at] >= 0 else "\0" for at in inside).split(
            "\0"
        )
        assert page.lines(number) == [
            " ".join(line.split()) for line in lines if line.split()
        ]
        stop = page.last_piece[number]
        while stop < len(texts) and (marks[stop] < 0 or marks[stop] >> 1 == number):
            stop += 1
        whole = "".join(texts[page.first_piece[number] : stop])
        assert page.span(number, number) == " ".join(whole.split())


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


def test_a_mark_says_whose_text_a_piece_is() -> None:
    page = document("<p>a<b>b</b>c<!-- x -->d</p>e")
    shown = [piece for piece in page.pieces if piece.owner >= 0]
    marked = [(piece.text, page.tags[piece.owner], piece.is_tail) for piece in shown]
    assert marked == [
        ("a", "p", False),
        ("b", "b", False),
        ("c", "b", True),
        ("d", "p", False),
        ("e", "p", True),
    ]
    assert page.columns.owners == [piece.owner for piece in page.pieces]
    assert page.columns.tails == [piece.is_tail for piece in page.pieces]


def test_a_gap_is_wherever_a_block_begins_or_ends() -> None:
    texts = document("<p>a<i>b</i></p><div>c</div>").columns.texts
    assert "".join(texts).split() == ["ab", "c"]
    assert texts[-1] == " "
    page = document("a<script>x</script>b<p>c")
    assert "".join(page.columns.texts).split() == ["ab", "c"]


def test_the_text_behind_what_nobody_sees_is_seen() -> None:
    for tag in ("script", "style", "template", "noframes"):
        page = document(f"<div><{tag}><b>in</b>x</{tag}>after</div>")
        assert page.text(page.by_tag["div"][0]) == "after"
