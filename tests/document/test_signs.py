"""What a part of a page says without words."""

from crawloop_assets.document.signs import signs
from tests.document.build import document


def of(body: str, tag: str = "div") -> str:
    page = document(f"<body>{body}</body>")
    return signs(page, page.by_tag[tag][0])


def test_classes_icons_pictures_and_titles_are_signs() -> None:
    said = of(
        '<div class="card new"><i class="star full" title="Open access"></i>'
        '<svg><use xlink:href="/all.svg#lift"></use></svg><img src="/i/oven.svg" alt="Oven">'
        '<b style="width: 40%" id="row-7">✓</b></div>'
    )
    assert said.splitlines() == [
        " <div> ",
        " card new ",
        ' star full "open_access ',
        " all.svg#lift ",
        ' "oven oven.svg ',
        ' row-7 width:_40% "✓ ',
    ]


def test_a_part_without_signs_says_its_tag_and_a_large_one_nothing() -> None:
    assert of("<div></div>") == " <div> "
    assert of(f"<div>{'<p></p>' * 500}</div>") == ""


def test_a_long_text_and_one_with_elements_inside_are_none() -> None:
    assert of("<div><p>Word <b>bold</b></p></div>").splitlines()[1:] == [' "bold ']
    assert of(f"<div><p>{'word ' * 20}</p></div>") == " <div> "


def test_an_icon_that_a_script_draws_is_called_by_an_attribute() -> None:
    said = of(
        '<div><my-icon name="lift" label="Lift"></my-icon><i data-lucide="wifi"></i>'
        '<input name="email"><my-box name="a"><b>c</b></my-box></div>'
    )
    assert said.splitlines()[1:] == [" lift ", " wifi ", ' "c ']


def test_what_an_element_is_now_is_a_sign_that_is_counted() -> None:
    said = of(
        '<div><i aria-hidden="true" data-rank="2"></i><i data-state="full" aria-label="On"></i></div>'
    )
    assert said.splitlines()[1:] == [" 0:aria-hidden=true ", ' 0:data-state=full "on ']
