"""The one place of pages that says what few of them are known to say."""

from collections.abc import Callable, Sequence

from crawloop_assets.crawler.program import Kin
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.lone_place import of_lone_place
from crawloop_assets.induce.detail.trials import KnownValue, Tried
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import document, index

AGE = FieldSpec(name="age", kind=FieldKind.INTEGER, required=True)
AGES = [12, 6, 8, 14, 10, 7, 12, 9]


def game(at: int) -> str:
    facts = f"<li>{3 + at % 2} players</li><li>30 min</li><li>from {AGES[at]} on</li>"
    return f"<main><h1>Game {'abcdefgh'[at]}</h1><ul>{facts}</ul></main>"


def found(
    body: Callable[[int], str],
    values: Sequence[Value | None],
    spec: FieldSpec = AGE,
    learned: int = 2,
) -> list[Tried]:
    known = [KnownValue(index(body(at)), values[at]) for at in range(learned)]
    others = [document(body(at)) for at in range(learned, len(AGES))]
    return of_lone_place(known, spec, [one.document for one in known] + others)


def test_what_two_pages_say_in_one_place_is_read_on_all_and_bears_no_name() -> None:
    (one,) = found(game, AGES)
    reader = one.candidate.reader
    said = [read(reader, Scope(document(game(at))), AGE) for at in range(len(AGES))]
    assert said == AGES
    assert (reader.kin, one.right) == (Kin.OTHER, 2)


def test_one_known_page_tells_its_only_place() -> None:
    (one,) = found(game, AGES, learned=1)
    reader = one.candidate.reader
    said = [read(reader, Scope(document(game(at))), AGE) for at in range(len(AGES))]
    assert said == AGES
    assert reader.kin is Kin.OTHER


def test_of_pages_without_a_value_nothing_is_taken() -> None:
    assert found(game, [None, None, *AGES[2:]]) == []


def test_a_list_of_texts_is_read_where_a_label_leads_to_it() -> None:
    months = FieldSpec(name="months", shape=Shape.LIST)
    names = ["mai", "juin", "avril", "mai", "juin", "mars", "mai", "juin"]

    def walk(at: int) -> str:
        return f"<main><h1>Tour {at}</h1><p><b>Saison :</b> {names[at]}</p></main>"

    (one,) = found(walk, [[name] for name in names], months, learned=1)
    reader = one.candidate.reader
    said = [read(reader, Scope(document(walk(at))), months) for at in range(8)]
    assert said == [[name] for name in names]


def test_without_enough_other_pages_nothing_is_taken() -> None:
    known = [KnownValue(index(game(at)), AGES[at]) for at in range(2)]
    others = [document(game(at)) for at in range(2, 5)]
    assert of_lone_place(known, AGE, [one.document for one in known] + others) == []


def test_two_known_pages_that_say_the_same_are_enough_where_others_do_not() -> None:
    ages = [8, 8, *AGES[2:]]

    def same(at: int) -> str:
        return game(at).replace(f"from {AGES[at]}", f"from {ages[at]}")

    (one,) = found(same, ages)
    reader = one.candidate.reader
    said = [read(reader, Scope(document(same(at))), AGE) for at in range(len(AGES))]
    assert said == ages


def test_two_places_that_say_other_things_of_other_pages_tell_nothing() -> None:
    def both(at: int) -> str:
        rank = AGES[at] if at < 2 else at
        return game(at).replace("</ul>", f"<li>rank {rank}</li></ul>")

    assert found(both, AGES) == []


def test_what_every_page_says_is_not_of_the_record() -> None:
    assert found(lambda _: "<main><p>Open from 8 on</p></main>", [8] * 8) == []


def test_what_most_other_pages_lack_is_not_taken() -> None:
    def seldom(at: int) -> str:
        return game(at) if at < 4 else "<main><h1>Game</h1></main>"

    assert found(seldom, AGES) == []


def test_what_is_read_where_a_record_has_no_value_is_a_neighbour() -> None:
    known = [KnownValue(index(game(at)), AGES[at]) for at in range(2)]
    known.append(KnownValue(index(game(2)), None))
    others = [document(game(at)) for at in range(3, len(AGES))]
    pages = [one.document for one in known] + others
    assert of_lone_place(known, AGE, pages) == []


def test_choices_flags_and_lists_are_told_otherwise() -> None:
    for spec in (
        FieldSpec(name="age", kind=FieldKind.BOOLEAN),
        FieldSpec(name="age", kind=FieldKind.CHOICE, choices=("6", "12")),
        FieldSpec(name="age", kind=FieldKind.INTEGER, shape=Shape.LIST),
    ):
        assert found(game, [str(age) for age in AGES], spec) == []
