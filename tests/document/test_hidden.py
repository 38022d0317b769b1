"""What a reader cannot see."""

import pytest

from crawloop_assets.document.hidden import Hidden
from tests.document.build import document


def hides(style: str, element: str) -> bool:
    tree = document(f"<style>{style}</style><body>{element}").tree
    (found,) = tree.xpath("//*[@id='x' or starts-with(@id, 'S:')]")
    return Hidden(tree).hides(found)


@pytest.mark.parametrize(
    ("style", "element", "expected"),
    [
        ("", "<p id=x hidden>", True),
        ("", "<p id=x style='display: none'>", True),
        (".off{display:none}", "<p id=x class='a off'>", True),
        (
            "b{}.a,p.off{ color:red; DISPLAY : none !important }",
            "<p id=x class=off>",
            True,
        ),
        (".off{display:none}", "<p id=x class=offer>", False),
        ("p.off{display:none}", "<b id=x class=off>", False),
        ("#x{display:none}", "<p id=x>", True),
        (
            ".tab{display:none}.tab.now{display:block}",
            "<p id=x class='tab now'>",
            False,
        ),
        (
            ".tab.now{display:block}.tab{display:none}",
            "<p id=x class='now tab'>",
            False,
        ),
        (".a{display:none}.b{display:block}", "<p id=x class='a b'>", False),
        (".a{display:none!important}#x{display:block}", "<p id=x class=a>", True),
        (".a{display:none}", "<p id=x class=a style='display:block'>", False),
        ("@media print{.a{display:none}}", "<p id=x class=a>", False),
        ("@import 'a.css';.a{display:none}", "<p id=x class=a>", True),
        ("/* } */.a{display:none}", "<p id=x class=a>", True),
        (".no-js .a{display:none}", "<p id=x class=a>", False),
        (".a:hover{display:none}", "<p id=x class=a>", False),
        (".a{display:none", "<p id=x class=a>", False),
        ("", "<template id='B:1'></template><div hidden id='S:1'>", False),
        ("", "<div hidden id='S:1'>", True),
    ],
)
def test_plain_rules_of_the_page_hide(
    style: str, element: str, *, expected: bool
) -> None:
    assert hides(style, element) is expected


def test_styles_are_read_up_to_a_bound() -> None:
    many = ".b{display:none}" * 6_000
    assert not hides(f"{many}.a{{display:none}}", "<p id=x class=a>")
    assert not hides("{" * 400_000, "<p id=x class=a>")
