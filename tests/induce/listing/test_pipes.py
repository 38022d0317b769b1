import pytest

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.pipes import pipes
from crawloop_assets.induce.locate.fit import proposals
from crawloop_assets.schema import FieldKind, FieldSpec, Shape


def spec(kind: FieldKind, shape: Shape = Shape.ONE) -> FieldSpec:
    return FieldSpec(name="field", kind=kind, shape=shape)


def step(op: Op, *args: str | int) -> tuple[Step, ...]:
    return (Step(op=op, args=args),)


def test_a_date_is_counted_from_the_start_and_the_last_from_the_end() -> None:
    text = "1 May 2020, 2 May 2020, 3 May 2020"
    date = spec(FieldKind.DATE)
    assert pipes(date, [(text, "2020-05-01")]) == [(), step(Op.DATE, 0)]
    assert pipes(date, [(text, "2020-05-02")]) == [(), step(Op.DATE, 1)]
    assert pipes(date, [(text, "2020-05-03")]) == [
        (),
        step(Op.DATE, -1),
        step(Op.DATE, 2),
    ]
    assert pipes(date, [(text, "2020-05-04")]) == [()]


@pytest.mark.parametrize("sign", ["、", "・", "／", "، ", " & ", ", ", "|"])
def test_a_list_is_cut_at_the_signs_that_pages_write(sign: str) -> None:
    items = ["oak", "ash"]
    found = pipes(spec(FieldKind.TEXT, Shape.LIST), [(sign.join(items), items)])
    assert step(Op.SPLIT, sign) in found


def test_what_most_samples_say_comes_first() -> None:
    date = spec(FieldKind.DATE)
    pairs = [
        ("1 May 2020 and 2 May 2020", "2020-05-02"),
        ("1 May 2020, 2 May 2020, 3 May 2020", "2020-05-03"),
    ]
    assert pipes(date, pairs)[:2] == [(), step(Op.DATE, -1)]


def test_a_moment_is_not_cut_down_to_its_day() -> None:
    text = "1 May 2020, 2 May 2020"
    moment = spec(FieldKind.DATETIME)
    assert pipes(moment, [(text, "2020-05-02T00:00:00")]) == [()]


def test_a_moment_may_be_a_number() -> None:
    moments = spec(FieldKind.DATETIME)
    found = pipes(moments, [("1772346147", "2026-03-01T06:22:27")])
    assert found == [(), step(Op.EPOCH)]


def test_a_number_is_one_of_the_first_or_the_last() -> None:
    number = spec(FieldKind.NUMBER)
    timeless = step(Op.WITHOUT, "moments")
    first, second, last = (
        (*timeless, *step(Op.NUMBER, index, "")) for index in (0, 1, -1)
    )
    assert second in pipes(number, [("5 of 7", "7")])
    assert pipes(number, [("5 of 7", "5")])[:2] == [(), first]
    assert last in pipes(number, [("1 2 3 4 5 6 7 8", "8")])
    assert pipes(number, [("1 2 3 4 5 6 7 8", "7")]) == [()]


def test_the_first_of_two_numbers_is_not_read_as_a_text_of_one() -> None:
    number = spec(FieldKind.INTEGER)
    timeless, first = step(Op.WITHOUT, "moments"), step(Op.NUMBER, 0, "")
    assert pipes(number, [("29 – 20", "29")])[0] == (*timeless, *first)
    assert pipes(number, [("29", "29"), ("2 – 2", "2")])[0] == (*timeless, *first)
    assert pipes(number, [("29", "29")])[0] == ()


def test_urls_are_found_in_quotes() -> None:
    found = pipes(spec(FieldKind.URL), [("open('/a') <a href=\"/b\">", "/a")])
    assert found[0] == ()
    assert set(found) > {
        step(Op.BETWEEN, 'href="', '"'),
        step(Op.BETWEEN, "'", "'"),
        step(Op.BETWEEN, '"', '"'),
    }


def test_one_quote_is_none() -> None:
    found = pipes(spec(FieldKind.URL), [("the court's page", "/a")])
    assert found == [(), step(Op.SRCSET)]


def test_lists_are_split_at_what_the_texts_have() -> None:
    several = spec(FieldKind.TEXT, Shape.LIST)
    assert pipes(several, [("a; b", ["a", "b"])]) == [
        (),
        step(Op.SPLIT, "; "),
        step(Op.SPLIT, ";"),
        step(Op.SPLIT, " "),
    ]


def test_lists_are_cut_behind_the_label_that_stands_in_their_text() -> None:
    several = spec(FieldKind.TEXT, Shape.LIST)
    rows = [("Tags: a | b", ["a", "b"]), ("Tags: c", ["c"])]
    assert (*step(Op.AFTER, "Tags:"), *step(Op.SPLIT, " | ")) in pipes(several, rows)


def test_texts_and_choices_are_taken_whole_first_and_other_kinds_only_so() -> None:
    pairs = [("Judge: Ames", "Ames"), ("Judge: Birch", "Birch")]
    for kind in (FieldKind.TEXT, FieldKind.CHOICE):
        found = pipes(spec(kind), pairs)
        assert found[0] == ()
        assert step(Op.AFTER, "Judge: ") in found
    assert pipes(spec(FieldKind.BOOLEAN), [("yes", True)]) == [()]


def test_parts_of_texts_are_counted_as_in_one_record() -> None:
    pairs = [("a|b|Ames|c", "Ames"), ("d|e|Birch|f", "Birch")]
    for text, value in pairs:
        parts = [pipe for pipe in proposals(text, value, spec(FieldKind.TEXT)) if pipe]
        assert set(parts) <= set(pipes(spec(FieldKind.TEXT), pairs))
        assert step(Op.PART, "|", -2) in parts


def test_the_one_item_of_each_list_is_cut_out_of_its_text() -> None:
    several = spec(FieldKind.TEXT, Shape.LIST)
    rows: list[tuple[str, list[str]]] = [("by Ada Reed", ["Ada Reed"])]
    by = step(Op.STRIP_PREFIX, "by ")
    assert by in pipes(several, [*rows, ("by Tom Bell", ["Tom Bell"])])
    assert by not in pipes(several, [*rows, ("by Ada and Tom", ["Ada", "Tom"])])


def test_no_blank_parts_the_only_item_of_each_list() -> None:
    several = spec(FieldKind.TEXT, Shape.LIST)
    rows: list[tuple[str, list[str]]] = [("via: Ronde", ["Ronde"])]
    behind = step(Op.AFTER, "via:")
    assert behind in pipes(several, rows)
    assert not any(step(Op.SPLIT, " ")[0] in pipe for pipe in pipes(several, rows))
    more = [("via: Ronde Helm", ["Ronde", "Helm"])]
    assert (*behind, *step(Op.SPLIT, " ")) in pipes(several, [*rows, *more])
