"""Values that are said by a sign: which one it is, all pages tell together."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.locate.signs import (
    SIGNS,
    are_filled_and_empty,
    closed_again,
    guessed_signs,
    may_be_signed,
    sign_of,
    sign_readers,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.listing.documents import document

BOX = Reader(src=Source.CSS, at="div", get=SIGNS, kin=Kin.TAG)
POOL = FieldSpec(name="pool", kind=FieldKind.BOOLEAN)
STARS = FieldSpec(name="stars", kind=FieldKind.INTEGER)
CODE = FieldSpec(name="code")
FLAGS = [True, False, True, False, False, True, False, True, True, False]


def pages(inside: Sequence[str]) -> list[Scope]:
    return [Scope(document(f"<div>{one}</div>")) for one in inside]


def found(
    spec: FieldSpec, inside: Sequence[str], values: Sequence[Value], known: int = 4
) -> list[Reader]:
    scopes = pages(inside)
    pairs = list(zip(scopes[:known], values[:known], strict=True))
    if not may_be_signed(spec, values[:known]):
        return []
    return sign_readers(spec, pairs, scopes[known:], [BOX])


def flagged(true: str, false: str = "") -> list[str]:
    return [
        f"<b>House {at}</b>{true if flag else false}" for at, flag in enumerate(FLAGS)
    ]


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ('<i class="ico swim"></i>', ""),
        ("", '<i class="dry"></i>'),
        ('<img src="/i/swim.svg">', ""),
    ],
)
def test_what_is_there_on_just_the_pages_of_the_flag_says_it(
    true: str, false: str
) -> None:
    inside = flagged(true, false)
    readers = found(POOL, inside, FLAGS)
    assert readers and all(map(sign_of, readers))
    for reader in readers:
        assert [read(reader, one, POOL) for one in pages(inside)] == FLAGS


def test_two_signs_that_differ_elsewhere_tell_nothing_but_for_the_name() -> None:
    other = [True, False, True, False, *map(bool, [1, 0, 0, 1, 0, 1])]
    inside = [
        f"{text}{'<i class=sun></i>' * sun}"
        for text, sun in zip(flagged('<i class="wet"></i>'), other, strict=True)
    ]
    assert found(POOL, inside, FLAGS) == []
    named = [one.replace("wet", "has-pool") for one in inside]
    assert [sign_of(one) for one in found(POOL, named, FLAGS)] == ["has-pool"]


def test_a_sign_goes_before_a_text_and_one_kind_of_known_flags_tells_nothing() -> None:
    inside = flagged('<i class="wet"></i>')
    inside = [
        f"{one}<u>Oak</u>" if at in (0, 2, 4) else one for at, one in enumerate(inside)
    ]
    assert [sign_of(one) for one in found(POOL, inside, FLAGS)] == ["wet"]
    assert found(POOL, flagged('<i class="wet"></i>'), [True] * 10) == []


def test_a_flag_that_comes_and_goes_is_said_by_a_sign_and_few_pages_tell_none() -> None:
    inside = flagged('<i class="wet"></i>')
    comes_and_goes = POOL.model_copy(update={"volatile": True})
    assert [sign_of(one) for one in found(comes_and_goes, inside, FLAGS)] == ["wet"]
    assert found(POOL, inside[:5], FLAGS[:5]) == [], "any would do"


def test_stars_are_counted_and_half_a_name_is_no_star() -> None:
    counts = [3, 1, 4, 5, 2, 3, 1, 4, 4, 2]
    inside = [
        '<i class="star"></i>' * one + '<i class="star-off"></i>' * (5 - one)
        for one in counts
    ]
    (reader,) = found(STARS, inside, counts)
    assert [read(reader, one, STARS) for one in pages(inside)] == counts
    assert found(STARS, inside, counts, known=2) == [], "two may agree by chance"


@pytest.mark.parametrize(
    ("shown", "spec"),
    [
        ('<span class="rank stars-{}"></span>', STARS),
        ('<span style="width: {}%"></span>', STARS),
        ('<span id="ad-{}"></span>', CODE),
    ],
)
def test_a_number_in_a_name_is_read_behind_the_name(
    shown: str, spec: FieldSpec
) -> None:
    values: list[Value] = [31, 12, 74, 5, 26, 93, 48]
    if spec is CODE:
        values = list(map(str, values))
    inside = [shown.format(one) for one in values]
    readers = found(spec, inside, values, known=2)
    assert readers
    assert [read(readers[0], one, spec) for one in pages(inside)] == values


def test_a_part_that_some_known_page_lacks_or_many_others_do_is_none() -> None:
    inside = flagged('<i class="wet"></i>')
    scopes = pages(inside)
    bare = [Scope(document("<p></p>"))] * 6
    pairs = list(zip(scopes[:4], FLAGS[:4], strict=True))
    assert sign_readers(POOL, pairs, [*scopes[4:], *bare], [BOX]) == []
    assert sign_readers(POOL, [*pairs, (bare[0], False)], scopes[4:], [BOX]) == []
    assert sign_readers(POOL, pairs, scopes[4:], [BOX]) != []


def test_only_a_sign_that_is_there_or_not_is_one() -> None:
    assert sign_of(BOX) == ""
    assert sign_of(Reader(src=Source.CSS, at="b", get="text")) == ""


def test_what_one_page_has_alone_is_its_own_name() -> None:
    flags = [True, True, False, True, *[True] * 6]
    inside = [f"<b class=c-{word}></b>" for word in "abcdefghij"]
    assert found(POOL, inside, flags) == []
    again = [*inside[:-1], inside[2]]
    assert found(POOL, again, flags) != []


def test_a_part_with_a_sign_that_no_page_had_says_nothing() -> None:
    """An icon that is called otherwise from one day on is not gone."""
    inside = flagged('<i class="swim"></i>')
    readers = found(POOL, inside, FLAGS)
    (renamed,) = pages(['<b>House 9</b><i class="water"></i>'])
    assert readers
    for reader in readers:
        assert read(reader, renamed, POOL) is None
    crowd = [
        f"{one}{''.join(f'<i class=c{word}></i>' for word in 'abcdefghijklmnopq')}"
        for one in inside
    ]
    assert found(POOL, crowd, FLAGS) == [], "of so many none is looked after"


@pytest.mark.parametrize(
    ("meant", "is_so"),
    [
        ([(' <td> \n "b ', "True"), (" <td> ", "False")], True),
        ([(' <td> \n "b ', "False"), (" <td> ", "True")], True),
        ([(' <td> \n "b ', "True"), (' <td> \n "c ', "False")], False),
        ([(" <td> ", "True"), (" <td> x ", "False")], False),
        ([(' <td> \n "b ', "True"), (" <td> ", "False"), ("", "False")], False),
        ([(' <td> \n "b ', "True"), (' <td> \n "b ', "False")], False),
        ([(' <td> \n "b ', "True"), (" <td> ", "True")], False),
        ([(' <td> \n "b ', "True")], False),
    ],
)
def test_cells_with_one_text_and_without_any(
    meant: list[tuple[str, str]], *, is_so: bool
) -> None:
    assert are_filled_and_empty(set(meant)) is is_so


def test_where_a_person_looks_the_sign_that_is_there_for_yes_goes_first() -> None:
    """Of two pages a tick at one label says as much as none at another."""
    cells = [("&#10003;", ""), ("", "&#10003;"), *[("&#10003;",) * 2, ("",) * 2] * 3]
    inside = [
        f"<p class=terrace><b>{one}</b></p><p class=garden><b>{other}</b></p>"
        for one, other in (
            (cell.replace("&#10003;", "<i class=tick></i>") for cell in pair)
            for pair in cells
        )
    ]
    scopes = pages(inside)
    known = list(zip(scopes[:2], (True, False), strict=True))
    boxes = [BOX.model_copy(update={"at": at}) for at in ("p.terrace", "p.garden")]
    assert sign_readers(POOL, known, scopes[2:], boxes) == []
    (reader,) = guessed_signs(POOL, known, scopes[2:], boxes)
    assert (reader.at, reader.kin) == ("p.terrace", Kin.OTHER)
    assert [read(reader, one, POOL) for one in scopes[:4]] == [True, False, True, False]


def test_a_digit_that_begins_a_word_is_no_number_of_one_page() -> None:
    inside = flagged('<i class="tag tag--3d">3D</i>', '<i class="tag"></i>')
    readers = found(POOL, inside, FLAGS)
    assert readers
    assert [read(readers[0], one, POOL) for one in pages(inside)] == FLAGS
    assert not found(POOL, flagged('<i class="tag tag-3"></i>'), FLAGS)


def test_a_sign_is_the_same_beside_what_is_new_on_the_pages_that_have_it() -> None:
    reader, *_ = found(POOL, flagged('<i class="swim"></i>'), FLAGS)
    walled = pages(flagged('<i class="swim"></i><p class="wall">Members only</p>'))
    assert read(reader, walled[0], POOL) is None, "a sign that no page had"
    (again,) = closed_again(reader, walled)
    assert [read(again, one, POOL) for one in walled] == FLAGS
    assert closed_again(reader, pages(flagged('<i class="bath"></i>'))) == []


def test_of_a_sign_that_says_no_the_flag_is_the_other_one() -> None:
    reader, *_ = found(POOL, flagged("", '<i class="dry"></i>'), FLAGS)
    (again,) = closed_again(reader, pages(flagged("", '<i class="dry wide"></i>')))
    assert sign_of(again) == sign_of(reader) == "dry"
    scopes = pages(flagged("", '<i class="dry wide"></i>'))
    assert [read(again, one, POOL) for one in scopes] == FLAGS


DOTS = [4, 3, 5, 1, 2, 4, 4, 3, 1, 5, 2, 4]


def dots(count: int) -> str:
    shown = ("false" if at < count else "true" for at in range(5))
    return "".join(f'<i class="dot" aria-hidden="{one}"></i>' for one in shown)


def test_elements_that_differ_in_their_state_alone_are_counted() -> None:
    inside = list(map(dots, DOTS))
    (reader,) = found(STARS, inside, DOTS, known=3)
    assert [read(reader, one, STARS) for one in pages(inside)] == DOTS


def test_two_pages_tell_a_count_for_a_person_to_look_at() -> None:
    inside = list(map(dots, DOTS))
    scopes = pages(inside)
    pairs = list(zip(scopes, DOTS[:2], strict=False))
    assert found(STARS, inside, DOTS, known=2) == []
    (reader,) = guessed_signs(STARS, pairs, scopes[2:], [BOX])
    assert reader.kin is Kin.OTHER
    assert [read(reader, one, STARS) for one in scopes] == DOTS


def test_the_state_of_an_icon_tells_no_flag() -> None:
    shown = '<i aria-hidden="true"></i>', '<i aria-hidden="false"></i>'
    assert found(POOL, flagged(*shown), FLAGS) == []
