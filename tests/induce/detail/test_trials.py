from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.program import Kin
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.candidates import possible_candidates
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    attempt,
    induce,
    pages_with_value,
    stricter,
)
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import by_css, candidate, index

MAKER = FieldSpec(name="maker")
PARTS = FieldSpec(name="parts", shape=Shape.LIST)
READER = candidate(by_css(".maker"))


def page(text: str, value: Value | None) -> KnownValue:
    body = f"<p class='maker'>{text}</p>" if text else "<p>None</p>"
    return KnownValue(index(body), value)


def test_only_pages_with_a_value_show_the_field() -> None:
    known = [page("Ada", "Ada"), page("Bob", None)]
    assert pages_with_value(known) == known[:1]
    assert known[0].document is known[0].index.document


def test_a_trial_counts_each_page_once() -> None:
    known = [
        page("Ada", "Ada"),
        page("Bob", "Bob"),
        page("Bob", "Cleo"),
        page("", "Dan"),
        page("Eve", None),
        page("", None),
    ]
    tried = attempt(READER, known, MAKER)
    counts = (tried.right, tried.wrong, tried.silent, tried.phantom, tried.near)
    assert counts == (2, 1, 1, 1, 0)


def test_pages_of_which_nothing_is_known_say_only_whether_something_is_read() -> None:
    told = page("Ada", "Ada")
    untold = [KnownValue(page(text, None).index, None, False) for text in ("Bob", "")]
    tried = attempt(READER, [told, *untold], MAKER)
    assert (tried.right, tried.phantom, tried.heard, tried.unheard) == (1, 0, 1, 1)
    assert tried.score == 1.0
    assert tried.trust == 0.75 * READER.prior


def test_of_equals_what_reads_the_other_pages_too_is_trusted_more() -> None:
    both = "<p class='maker'>Ada Works</p><p class='maker-note'>Ada Works</p>"
    known = [KnownValue(index(both), "Ada Works")]
    known += [KnownValue(page("Bob", None).index, None, False)]
    best, *_ = induce(known, MAKER)
    assert (best.heard, best.unheard) == (1, 0)
    assert "note" not in best.candidate.reader.at


def test_a_list_read_with_one_mistake_in_ten_is_nearly_right() -> None:
    items = [f"Part {letter}" for letter in "abcdefghij"]
    body = "".join(f"<li>{item}</li>" for item in items)
    known = [
        KnownValue(index(body), [*items[:9], "Screws"]),
        KnownValue(index(body), [*items[:8], "Nails", "Screws"]),
    ]
    tried = attempt(candidate(by_css("li")), known, PARTS)
    assert (tried.near, tried.wrong) == (1, 1)


@pytest.mark.parametrize(
    ("counts", "score"),
    [
        ((2, 0, 0, 0, 0), 1.0),
        ((1, 0, 1, 0, 0), 0.5),
        ((1, 1, 0, 0, 0), 0.25),
        ((0, 0, 0, 0, 1), 0.4),
        ((2, 0, 0, 2, 0), 0.75),
        ((0, 0, 0, 3, 0), 0.0),
    ],
)
def test_the_score_is_the_share_of_pages_read_less_mistakes(
    counts: tuple[int, int, int, int, int], score: float
) -> None:
    right, wrong, silent, phantom, near = counts
    assert Tried(READER, right, wrong, silent, phantom, near).score == score


@given(st.lists(st.integers(0, 9), min_size=5, max_size=5))
def test_no_score_is_over_one_and_mistakes_never_help(counts: list[int]) -> None:
    right, wrong, silent, phantom, near = counts
    tried = Tried(READER, right, wrong, silent, phantom, near)
    assert tried.score <= 1
    worse = Tried(READER, right, wrong + 1, silent, phantom, near)
    assert worse.score <= max(tried.score, 0) or tried.score < 0


def test_candidates_are_made_from_every_known_page() -> None:
    first = KnownValue(index("<p class='maker'>Ada Byron</p>"), "Ada Byron")
    second = KnownValue(index("<p id='maker'>Bob Dole</p>"), "Bob Dole")
    tried = induce([first, second], MAKER)
    places = {each.candidate.reader.at for each in tried}
    assert {".maker", "#maker"} <= places
    assert all(each.score > 0 for each in tried)
    scores = [each.score for each in tried]
    assert scores == sorted(scores, reverse=True)


def test_general_candidates_are_tried_beside_those_of_the_pages() -> None:
    known = [page("Ada Byron", "Ada Byron")]
    general = [candidate(by_css("p", Kin.TAG), 2.0), candidate(by_css("i"), 2.0)]
    tried = induce(known, MAKER, general)
    assert tried[0].candidate == general[0]
    assert general[1] not in [each.candidate for each in tried]


def test_short_values_without_a_name_are_read_where_several_pages_have_them() -> None:
    count = FieldSpec(name="weight", kind=FieldKind.INTEGER)

    def shown(number: int) -> KnownValue:
        return KnownValue(index(f"<p class='card'>{number}</p>"), number)

    assert induce([shown(4711)], count) == []
    assert induce([shown(47), shown(12)], count) == []
    assert induce([shown(4711), shown(4711)], count) == []
    tried = induce([shown(4711), shown(815)], count)
    assert tried[0].candidate.reader.at == ".card"
    assert tried[0].right == 2


def test_a_list_is_not_read_where_nothing_names_it() -> None:
    tags = FieldSpec(name="weight", shape=Shape.SET, kind=FieldKind.INTEGER)
    known = [
        KnownValue(index(f"<p class='card'>{number}</p>"), [number])
        for number in (471, 815)
    ]
    assert induce(known, tags) == []


def credit(text: str, maker: str | None) -> KnownValue:
    return KnownValue(index(f"<p class='credit'>{text}</p>"), maker)


CREDITS = [
    credit("by Ada Works, 1644", "Ada Works"),
    credit("by Bob & Sons, 1650", "Bob & Sons"),
]
UNCREDITED = credit("1661", None)


def test_a_reader_that_takes_off_what_is_not_there_reads_nothing_instead() -> None:
    loose, *_ = induce(CREDITS, MAKER)
    assert attempt(loose.candidate, [UNCREDITED], MAKER).phantom == 1
    found = induce([*CREDITS, UNCREDITED], MAKER)
    assert found[0].right == 2
    assert {one.phantom for one in found} == {0}
    assert stricter(READER) is None


MOST = FieldSpec(name="most", kind=FieldKind.INTEGER)


def test_the_last_of_two_numbers_is_the_second_one_where_some_have_but_one() -> None:
    ages = {"18 to 65 years": 65, "12 to 40 years": 40, "21 years and older": None}
    known = [
        KnownValue(index(f"<dl><dt>Ages</dt><dd>{text}</dd></dl>"), most)
        for text, most in ages.items()
    ]
    last = Step(op=Op.NUMBER, args=(-1, ""))
    reader = by_css("dd").model_copy(update={"pipe": (last,)})
    assert attempt(candidate(reader), known, MOST).phantom == 1
    strict = stricter(candidate(reader))
    assert strict is not None
    assert [str(step) for step in strict.reader.pipe] == ["number(1, '')"]
    trial = attempt(strict, known, MOST)
    assert (trial.right, trial.phantom) == (2, 0)


def test_what_a_record_lacks_is_left_to_readers_that_read_nothing_there() -> None:
    near = "<b class='maker'>{}</b>"
    known = [
        KnownValue(index(f"<p>{near.format(one)}</p><i>Note</i>"), one)
        for one in ("Ada Works", "Bob & Sons")
    ]
    other = KnownValue(index("<p><b>1661</b></p><i>Note</i>"), None)
    assert any(
        attempt(one.candidate, [other], MAKER).phantom for one in induce(known, MAKER)
    )
    found = induce([*known, other], MAKER)
    assert found and not any(one.phantom for one in found)
    comes_and_goes = MAKER.model_copy(update={"volatile": True})
    found = induce([*known, other], comes_and_goes)
    assert found and not any(one.phantom for one in found)
    come = KnownValue(index(f"<p>{near.format('Cy')}</p><i>Note</i>"), None)
    found = induce([*known, come], comes_and_goes)
    assert any(one.phantom for one in found), "all that read it say so"


def _line_pages(lines: list[tuple[int, list[str]]]) -> list[KnownValue]:
    return [
        KnownValue(index("".join(f"<p>{line}</p>" for line in shown)), known)
        for known, shown in lines
    ]


SHARE = FieldSpec(name="liked", kind=FieldKind.INTEGER)


def test_numbers_that_differ_among_the_same_words_of_two_pages_tell_the_line() -> None:
    pages = _line_pages(
        [
            (76, ["Recomendado por 76 % dos doentes", "desde 76 €"]),
            (81, ["Aberto", "Recomendado por 81 % dos doentes", "desde 40 €"]),
        ]
    )
    found = [one for one in induce(pages, SHARE) if one.right == 2]
    (other,) = _line_pages([(55, ["desde 7 €", "Recomendado por 55 % dos doentes"])])
    assert found
    for one in found:
        assert read(one.candidate.reader, Scope(other.document), SHARE) == 55


@pytest.mark.parametrize(
    "shown",
    [
        [(76, ["Por 76 %", "Desde 76 €"]), (81, ["Por 81 %", "Desde 81 €"])],
        [(3, ["Por 3 de nos"]), (4, ["Por 4 de nos"])],
        [(76, ["Por 76 %"]), (76, ["Por 76 %"])],
        [(76, ["Por 76 %"]), (81, ["De 81 %"])],
    ],
    ids=["two lines", "small numbers", "one number", "other words"],
)
def test_no_line_is_known_from_less(shown: list[tuple[int, list[str]]]) -> None:
    assert induce(_line_pages(shown), SHARE) == []


def test_what_pages_without_a_value_say_is_not_read() -> None:
    known = [page("Ada", "Ada"), page("Not signed", None), page("Not signed", None)]
    best = induce(known, MAKER)[0]
    assert (best.right, best.phantom) == (1, 0)
    assert (
        read(best.candidate.reader, Scope(page("Bob", None).document), MAKER) == "Bob"
    )


def test_a_part_of_a_text_is_not_read_where_the_text_has_no_parts() -> None:
    email = FieldSpec(name="email")
    known = [
        page("Tel. 12-34 | a@b.test", "a@b.test"),
        page("Tel. 56-78 | c@b.test", "c@b.test"),
        page("Tel. 91-01", None),
    ]
    best = induce(known, email)[0]
    assert (best.right, best.phantom) == (2, 0)


def test_the_text_before_a_label_is_no_value_where_that_is_a_neighbours() -> None:
    """Where the age is missing the price stands before "State": a range here, and one
    number on the next page."""
    age = FieldSpec(name="oldest", kind=FieldKind.INTEGER)

    def rows(price: str, said: str = "") -> str:
        line = f"<dt>Public</dt><dd>from {said}</dd>" if said else ""
        return f"<dl><dt>Cost</dt><dd>{price}</dd>{line}<dt>State</dt><dd>on</dd></dl>"

    known = [
        KnownValue(index(rows("7 to 10 EUR", one)), int(one))
        for one in ("8", "12", "16")
    ]
    lacks = KnownValue(index(rows("7 to 10 EUR")), None)
    every = [possible_candidates(one.index, one.value, age) for one in known]
    pool = list(chain.from_iterable(every))
    later = Scope(index(rows("31 EUR")).document)

    def gives(*pages: KnownValue) -> set[Value | None]:
        found = [
            one.candidate.reader for one in induce(pages, age, pool) if one.right == 3
        ]
        return {read(one, later, age) for one in found}

    assert gives(*known) == {None, 31}
    assert gives(*known, lacks) == {None}
