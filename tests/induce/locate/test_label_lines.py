"""What stands behind a label in its own line."""

from crawloop_assets.crawler.read import Scope, read, transformed_texts
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.label_lines import (
    behind_label,
    lines_behind_label,
    number_among_words,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec


def document(body: str) -> Document:
    html = f"<html><body>{body}</body></html>".encode()
    page = Page(url="http://x.test/", body=html, headers={"content-type": "text/html"})
    return Document(page)


def lines(body: str) -> list[list[str]]:
    shown = document(body)
    found = lines_behind_label(shown)
    return [transformed_texts(reader, Scope(shown)) for reader in found]


def numbers(body: str, other: str) -> list[list[str]]:
    """What readers of 1968 on one page give on another one."""
    spec = FieldSpec(name="since", kind=FieldKind.INTEGER)
    found = number_among_words(document(body), 1968, spec)
    return [transformed_texts(reader, Scope(document(other))) for reader in found]


def test_a_value_is_read_behind_the_label_of_its_line_in_its_unit() -> None:
    spec = FieldSpec(name="wait", kind=FieldKind.INTEGER)
    shown, other = document("Wait: 34 min<br>Stay: 3"), document("Wait: 1 h 5 min")
    found = list(behind_label(shown, 34, spec))
    read_on = [read(one, Scope(other), spec) for one in found]
    assert read_on == [None, 65]  # in parts only where the unit is known
    assert {read(one, Scope(shown), spec) for one in found} == {34}
    assert list(behind_label(document("Wait: 35 min"), 34, spec)) == []
    text = FieldSpec(name="wait")
    (reader,) = behind_label(shown, "34 min", text)
    assert read(reader, Scope(other), text) == "1 h 5 min"


def test_each_label_that_begins_a_line_has_what_stands_behind_it() -> None:
    body = "<div>State: let<br>Size (m²): 40</div><ul><li><b>Of:</b> Ada</li></ul>"
    assert lines(body) == [["let"], ["40"], ["Ada"]]


def test_a_label_of_two_lines_and_what_is_none_are_left_out() -> None:
    assert lines("State: let<br>State: sold<br>12: 30<br>none") == []
    assert lines("At 12:30 we met") == []
    assert lines(f"State: {'long ' * 60}") == []


def test_a_label_inside_another_one_is_another() -> None:
    assert lines("State: let<br>Old State: sold") == [["let"], ["sold"]]


def test_a_number_is_read_by_the_words_of_its_line_wherever_that_stands() -> None:
    items = "<ul><li>Room for 40</li><li>Since 1968</li></ul>"
    assert numbers(items, "<p>Since 1,024</p>Room for 1990") == [["1,024"]]
    assert numbers("1968 seats", "12 seats<br>12 seats more") == [["12"]]


def test_a_number_that_words_do_not_tell_is_not_read_by_them() -> None:
    assert numbers("Since 1968<br>Since 1990", "Since 1971") == []
    assert numbers("<p>1968</p><p>(1968)</p>", "1971") == []
    assert numbers("Since 1990", "Since 1971") == []
    assert numbers("From 1968 to 1990", "From 1971 to 1990") == []


def test_what_is_read_aloud_has_labels_as_lines_have() -> None:
    aloud = '<i aria-label="Trailer: no"></i><i aria-label="Pets"></i><i aria-label="Used: yes"></i>'
    assert lines(aloud) == [["no"], ["yes"]]
    assert lines('<b title="State: let">!</b><img alt="Size: XL">') == [["let"], ["XL"]]
    assert lines('<i title="State: let"></i><i title="State: sold"></i>') == []
    flag = FieldSpec(name="trailer", kind=FieldKind.BOOLEAN)
    (reader, *_) = behind_label(document(aloud), False, flag)
    other = '<i aria-label="Used: no"></i><i aria-label="Trailer: yes"></i>'
    assert read(reader, Scope(document(other)), flag) is True
