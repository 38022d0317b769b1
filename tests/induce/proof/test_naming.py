"""Fields of which nothing on the page says that they are read."""

import pytest

from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.proof.naming import (
    guessed_fields,
    once_known_fields,
    signed_fields,
    unnamed_fields,
)
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, required=True)
TITLE = FieldSpec(name="title", required=True)


def css(at: str, kin: Kin) -> Reader:
    return Reader(src=Source.CSS, at=at, kin=kin)


def unnamed(spec: FieldSpec, *readers: Reader) -> list[str]:
    program = Program(fields=(FieldProgram(spec=spec, readers=readers),))
    return list(unnamed_fields(RecordSchema(name="Thing", fields=(spec,)), program))


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        (css("main > div:nth-of-type(2)", Kin.PATH), ["price"]),
        (css("div b", Kin.TAG), ["price"]),
        (css(".css-1dbjc4n", Kin.CLASS), ["price"]),
        (css(".sc-bdVaJa b", Kin.CLASS), ["price"]),
        (css(".cell b", Kin.CLASS), []),
        (css(".price > b:nth-of-type(2)", Kin.PATH), []),
        (css("#buy b", Kin.ID), []),
        (css(".", Kin.TAG).model_copy(update={"get": "@data-cost"}), []),
        (css(".", Kin.OTHER).model_copy(update={"get": "address"}), []),
        (css(".", Kin.TAG).model_copy(update={"get": "@src"}), ["price"]),
        (css("[itemprop]", Kin.MICRO), []),
        (Reader(src=Source.LABEL, at="now", get="next", kin=Kin.LABEL), []),
        (Reader(src=Source.JSON, at="ld:Thing.a", get="value", kin=Kin.JSONLD), []),
    ],
)
def test_a_position_or_the_class_of_a_build_names_nothing(
    reader: Reader, expected: list[str]
) -> None:
    assert unnamed(PRICE, reader) == expected
    assert unnamed(PRICE.model_copy(update={"required": False}), reader) == []


@pytest.mark.parametrize(
    ("label", "expected"),
    [("Price:", []), ("PRÍCE –", []), ("Fee:", ["price"]), ("", ["price"])],
)
def test_a_text_that_is_cut_behind_the_name_of_its_field_is_named(
    label: str, expected: list[str]
) -> None:
    """Whatever else has that tag, nothing is read of it: the accent is the page's."""
    cut = (Step(op=Op.AFTER, args=(label,)),)
    reader = css("p", Kin.TAG).model_copy(update={"pipe": cut})
    assert unnamed(PRICE, reader) == expected


@pytest.mark.parametrize("required", [True, False])
def test_a_place_that_too_few_examples_tell_is_no_name_of_an_optional_field_either(
    required: bool,
) -> None:
    spec = PRICE.model_copy(update={"required": required})
    line = css("body", Kin.OTHER).model_copy(update={"get": "lines"})
    key = Reader(src=Source.JSON, at="is:a.price", get="value", kin=Kin.OTHER)
    assert [unnamed(spec, one) for one in (line, key)] == [["price"], ["price"]]
    assert unnamed(spec, line, css("#buy b", Kin.ID)) == []


def test_two_readers_and_telling_tags_are_named_enough() -> None:
    path, tag = css("main > div:nth-of-type(2)", Kin.PATH), css("div b", Kin.TAG)
    assert unnamed(PRICE, path, tag) == []
    assert unnamed(TITLE, css("h1", Kin.TAG)) == []
    assert unnamed(TITLE, css("h2", Kin.TAG)) == ["title"]
    assert unnamed(PRICE) == []


STATE = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=("sold", "free"))
OPEN = FieldSpec(name="open", kind=FieldKind.BOOLEAN)
WORDS = (Step(op=Op.MAP, args=("Weg", "sold")), Step(op=Op.MAP, args=("Da", "free")))
YES = (Step(op=Op.MAP, args=("Offen", "True")),)


def guessed(spec: FieldSpec, reader: Reader, *known: object) -> list[str]:
    program = Program(fields=(FieldProgram(spec=spec, readers=(reader,)),))
    schema = RecordSchema(name="Thing", fields=(spec,))
    rows = [{spec.name: one} for one in known]
    return list(guessed_fields(schema, program, rows))


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (("sold", "free"), ["state"]),
        (("sold", "free", "sold"), ["state"]),
        (("sold", "free", "sold", "free"), []),
        ((), []),
    ],
)
def test_few_records_tell_no_words(known: tuple[str, ...], expected: list[str]) -> None:
    reader = css("td:nth-of-type(3)", Kin.PATH).model_copy(update={"pipe": WORDS})
    assert guessed(STATE, reader, *known) == expected
    assert guessed(STATE, css(".c1", Kin.CLASS), *known) == []  # no words at all


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ((True, True, True, False), ["open"]),
        ((True, False, True, False), []),
        ((True, True, True, True), ["open"]),
    ],
)
def test_of_a_flag_each_side_has_to_be_known(
    known: tuple[bool, ...], expected: list[str]
) -> None:
    reader = css("td:nth-of-type(3)", Kin.PATH).model_copy(update={"pipe": YES})
    assert guessed(OPEN, reader, *known) == expected


def test_what_names_the_field_speaks_for_its_words() -> None:
    label = Reader(src=Source.LABEL, at="state", get="next", kin=Kin.LABEL)
    label = label.model_copy(update={"pipe": WORDS})
    assert guessed(STATE, label, "sold", "free") == []
    own = (Step(op=Op.MAP, args=("Already sold", "sold")),)
    place = css("p:nth-of-type(2)", Kin.PATH).model_copy(update={"pipe": own})
    assert guessed(STATE, place, "sold", "sold") == []


def test_a_name_does_not_tell_the_words_of_a_flag_of_which_one_kind_is_known() -> None:
    """What stands behind "Open" may be of the next flag."""
    label = Reader(src=Source.LABEL, at="open", get="next", kin=Kin.LABEL)
    worded = label.model_copy(update={"pipe": YES})
    assert guessed(OPEN, worded, True, True) == ["open"]
    assert guessed(OPEN, worded, True, False) == []
    assert guessed(OPEN, label, True, True) == [], "it says yes or no by itself"


def test_a_key_that_nothing_names_is_no_flag_of_few_records() -> None:
    other = Reader(src=Source.JSON, at="body.top", get="value", kin=Kin.JSON)
    named = Reader(src=Source.JSON, at="body.isOpen", get="value", kin=Kin.JSON)
    assert guessed(OPEN, other, True, False) == ["open"]
    assert guessed(OPEN, named, True, False) == []


def test_a_place_that_two_choices_are_read_from_is_one_of_them_at_most() -> None:
    used = FieldSpec(name="used", kind=FieldKind.BOOLEAN)
    place = css("td:nth-of-type(3)", Kin.PATH).model_copy(update={"pipe": YES})
    no = (Step(op=Op.MAP, args=("Offen", "False")),)
    fields = (
        FieldProgram(spec=OPEN, readers=(place,)),
        FieldProgram(spec=used, readers=(place.model_copy(update={"pipe": no}),)),
    )
    schema = RecordSchema(name="Thing", fields=(OPEN, used))
    rows = [{"open": one, "used": not one} for one in (True, False) * 2]
    assert list(guessed_fields(schema, Program(fields=fields), rows)) == [
        "open",
        "used",
    ]
    assert list(guessed_fields(schema, Program(fields=fields[:1]), rows)) == []


def signed(reader: Reader, *known: bool) -> list[str]:
    program = Program(fields=(FieldProgram(spec=OPEN, readers=(reader,)),))
    schema = RecordSchema(name="Thing", fields=(OPEN,))
    rows = [{"open": one} for one in known]
    return list(signed_fields(schema, program, rows))


def test_a_sign_without_the_fields_name_is_told_by_many_records() -> None:
    flags = (True, False) * 2
    has = (Step(op=Op.MAP, args=("tick", "True")), Step(op=Op.LAST))
    sign = Reader(src=Source.CSS, at=".row", get="signs", pipe=has, kin=Kin.CLASS)
    assert signed(sign, *flags) == ["open"]
    assert signed(sign, *flags * 4) == []
    own = (Step(op=Op.MAP, args=("is-open", "True")), Step(op=Op.LAST))
    assert signed(sign.model_copy(update={"pipe": own}), *flags) == []
    assert signed(css(".row", Kin.CLASS), *flags) == []


def test_a_guess_is_in_doubt_also_where_a_sign_bears_the_name() -> None:
    sign = Reader(src=Source.CSS, at=".open", get="signs", kin=Kin.OTHER)
    schema = RecordSchema(name="Thing", fields=(OPEN,))
    for kin, doubted in ((Kin.OTHER, ["open"]), (Kin.CLASS, [])):
        reader = sign.model_copy(update={"kin": kin})
        program = Program(fields=(FieldProgram(spec=OPEN, readers=(reader,)),))
        assert list(unnamed_fields(schema, program)) == doubted


def once(spec: FieldSpec, reader: Reader, *known: object) -> list[str]:
    program = Program(fields=(FieldProgram(spec=spec, readers=(reader,)),))
    schema = RecordSchema(name="Thing", fields=(spec,))
    return list(once_known_fields(schema, program, [{spec.name: one} for one in known]))


def test_one_short_value_tells_no_place_that_nothing_names() -> None:
    place = css("p b", Kin.TAG)
    assert once(PRICE, place, "12.50") == ["price"]
    assert once(PRICE, place, "12.50", "9.90") == []
    assert once(PRICE, place, None) == []
    long = "A name so long that it stands nowhere by chance"
    assert once(TITLE, place, long) == []
    assert once(TITLE, place, "Ulm") == ["title"]


def test_a_name_a_heading_or_data_tell_a_place_of_one_value() -> None:
    label = Reader(src=Source.LABEL, at="price", get="next", kin=Kin.LABEL)
    stated = Reader(src=Source.JSON, at="x.offers", get="value", kin=Kin.JSONLD)
    assert once(PRICE, label, "12.50") == once(PRICE, stated, "12.50") == []
    assert once(TITLE, css("h1", Kin.TAG), "Ulm") == []


@pytest.mark.parametrize(("records", "is_doubted"), [(8, True), (20, False)])
def test_one_word_of_longer_texts_is_told_by_many_records(
    records: int, is_doubted: bool
) -> None:
    kind = FieldSpec(name="kind", kind=FieldKind.CHOICE, choices=("a", "b"))
    cut = Step(op=Op.REGEX, args=(r"\b(?:alt|neu)\b",))
    reader = css(".note", Kin.CLASS).model_copy(
        update={"pipe": (cut, Step(op=Op.MAP, args=("alt", "a")))}
    )
    schema = RecordSchema(name="Thing", fields=(kind,))
    program = Program(fields=(FieldProgram(spec=kind, readers=(reader,)),))
    known = [{"kind": "ab"[at % 2]} for at in range(records)]
    assert list(guessed_fields(schema, program, known)) == ["kind"] * is_doubted
