import pytest

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.joined import (
    SPLIT,
    as_written,
    cut_pipes,
    split_fit,
)
from crawloop_assets.schema import FieldSpec, Shape

BASE = "https://shop.example/"


def test_the_items_of_a_list_are_cut_from_one_text() -> None:
    spec = FieldSpec(name="f", shape=Shape.LIST)
    assert split_fit("oak; ash", ["oak", "ash"], spec, BASE) == (
        Step(op=Op.SPLIT, args=(";",)),
    )
    assert split_fit("oak, ash and elm", ["oak", "ash and elm"], spec, BASE) == SPLIT
    assert split_fit("oak ash", ["oak", "ash"], spec, BASE) is None
    assert split_fit("oak, ash", ["oak"], spec, BASE) is None


def test_what_is_parted_at_dots_is_parted_at_the_comma_of_the_script_as_well() -> None:
    spec = FieldSpec(name="f", shape=Shape.LIST)
    pipe = split_fit("樫・杉", ["樫", "杉"], spec, BASE)
    assert pipe and apply(pipe, ["樫、杉、松"]) == ["樫", "杉", "松"]
    pipe = split_fit("バス・トイレ別、松", ["バス・トイレ別", "松"], spec, BASE)
    assert pipe and apply(pipe, ["バス・トイレ別、杉"]) == ["バス・トイレ別", "杉"]
    labelled = [*cut_pipes("木：樫・杉", ["樫", "杉"], "・")]
    assert any(apply(one, ["木：樫、松"]) == ["樫", "松"] for one in labelled)


@pytest.mark.parametrize("sign", ["、", "，", "／", "،", "；"])
def test_items_are_cut_at_the_signs_of_east_asian_texts(sign: str) -> None:
    spec = FieldSpec(name="f", shape=Shape.LIST)
    text = f"樫{sign}杉"
    assert split_fit(text, ["樫", "杉"], spec, BASE) == (
        Step(op=Op.SPLIT, args=(sign,)),
    )
    assert text in as_written(["樫", "杉"])


def test_a_label_before_the_items_is_cut_off_and_has_to_be_there() -> None:
    plain, labelled = cut_pipes("Woods: oak | ash", ["oak", "ash"], " | ")
    assert [str(step) for step in plain] == ["split(' | ')"]
    assert [str(step) for step in labelled] == ["after('Woods:')", "split(' | ')"]
    assert apply(labelled, ["Woods: elm"]) == ["elm"]
    assert apply(labelled, ["Metals: tin | lead"]) == []


def test_a_list_is_looked_for_as_pages_write_it() -> None:
    assert {"oak, ash", "oak | ash", "oak · ash"} < set(as_written(["oak", "ash"]))
    assert as_written(["oak"]) == ["oak"]


@pytest.mark.parametrize("word", ["and", "und", "et", "y", "och", "a", "ja", "&"])
def test_a_word_stands_before_the_last_of_several_items(word: str) -> None:
    spec = FieldSpec(name="f", shape=Shape.LIST)
    three = f"oak, ash {word} elm"
    pipe = split_fit(three, ["oak", "ash", "elm"], spec, BASE)
    assert pipe and apply(pipe, [f"oak {word} elm"]) == ["oak", "elm"]
    assert apply(pipe, ["oak"]) == ["oak"]
    assert three in as_written(["oak", "ash", "elm"])


def test_of_two_items_with_a_word_between_them_others_have_commas_too() -> None:
    spec = FieldSpec(name="f", shape=Shape.LIST)
    pipe = split_fit("oak and ash", ["oak", "ash"], spec, BASE)
    assert pipe and apply(pipe, ["oak, elm and ash"]) == ["oak", "elm", "ash"]
    first, *_ = (
        one
        for one in cut_pipes("by oak and ash", ["oak", "ash"], " and ")
        if apply(one, ["by oak and ash"]) == ["oak", "ash"]
    )
    assert apply(first, ["by oak, elm and ash"]) == ["oak", "elm", "ash"]
