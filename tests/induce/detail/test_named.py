import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.named import NamedValue, PageNames
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, Shape


def guess(html: str, **spec: object) -> NamedValue | None:
    document = Document(
        Page(url="https://x.example/", body=f"<body>{html}</body>".encode())
    )
    found = PageNames(Index(document, "Recipe")).guess(FieldSpec(**spec))
    return found and found._replace(label="")


def test_a_label_and_a_name_that_agree_are_sure() -> None:
    html = "<div><b>Prep time</b> <span class='prep-time'>10 min</span></div>"
    assert guess(html, name="prep_time", kind=FieldKind.MINUTES) == NamedValue(
        10, sure=True
    )


def test_a_label_may_leave_out_the_words_that_fields_share() -> None:
    html = "<li><b>{}</b> <i>15 mins</i></li>"

    def told(label: str, name: str, alias: str) -> NamedValue | None:
        return guess(
            html.format(label), name=name, aliases=(alias,), kind=FieldKind.MINUTES
        )

    cooking = ("cook_time", "cooking time")
    assert told("Cooking:", *cooking) == NamedValue(15, sure=False)
    for other in ("Cooking steps", "Prep", "Time", "Cooling"):
        assert told(other, *cooking) is None
    assert told("Rest", "idle", "rest phase") is None, "half a name is none"


def test_one_of_them_alone_is_a_guess() -> None:
    assert guess(
        "<b>Prep time</b> <i>10 min</i>", name="prep_time", kind=FieldKind.MINUTES
    ) == NamedValue(10, sure=False)
    assert guess(
        "<i class='prep-time'>10 min</i>", name="prep_time", kind=FieldKind.MINUTES
    ) == NamedValue(10, sure=False)


def test_a_label_says_where_a_name_ends() -> None:
    html = "<p class='byline'>By <a>Ada Byron</a>, 3 May 2021</p>"
    assert guess(html, name="author", aliases=("by",)) == NamedValue(
        "Ada Byron", sure=True
    )


@pytest.mark.parametrize(
    "html",
    [
        "<i class='recipe-rating-count'>12</i>",  # a count
        "<i class='rating-label'>5</i>",  # what names the rating, not the rating
        "<i class='main-menu-item-link-rating'>5</i>",  # much else
        "<nav><i class='rating'>5</i></nav>",  # of other pages
        "<div class='comments'><i class='rating'>5</i></div>",
    ],
)
def test_names_of_other_things_say_nothing(html: str) -> None:
    assert guess(html, name="rating", kind=FieldKind.NUMBER) is None


def test_what_is_called_a_label_holds_no_tags() -> None:
    html = "<i class='recipe-label'>Prep time</i><i class='recipe-label'>Cook time</i>"
    assert guess(html, name="keywords", aliases=("tags",), shape=Shape.SET) is None


def test_the_record_s_own_name_comes_before_the_site_s() -> None:
    site, recipe = (
        "A blog about food that is cooked and eaten.",
        "A soup that is cooked for hours and then eaten.",
    )
    html = f"<p class='site-description'>{site}</p><p class='description'>{site}</p><p class='recipe-summary'>{recipe}</p>"
    assert guess(html, name="description", aliases=("summary",)) == NamedValue(
        recipe, sure=False
    )


def test_running_numbers_are_not_part_of_the_items() -> None:
    html = "<li class='step'><b>Step 1</b> Chop.</li><li class='step'><b>Step 2</b> Stir.</li>"
    assert guess(html, name="steps", shape=Shape.LIST) == NamedValue(
        ["Chop.", "Stir."], sure=False
    )
    html = "<li class='ingredient'>2 eggs</li><li class='ingredient'>1 onion</li>"
    assert guess(html, name="ingredients", shape=Shape.LIST) == NamedValue(
        ["2 eggs", "1 onion"], sure=False
    )


def test_two_values_under_one_name_are_no_guess() -> None:
    assert (
        guess("<i class='author'>Ada</i><i class='author'>Bob</i>", name="author")
        is None
    )


@pytest.mark.parametrize(
    ("text", "sign"),
    [("Price: £39.50", "£"), ("AU$ 5", "AU$"), ("1 290 Kč", "Kč"), ("39.50", None)],
)
def test_a_currency_is_the_sign_beside_the_price(text: str, sign: str | None) -> None:
    found = guess(f"<b class='price'>{text}</b>", name="currency")
    assert (found.value if found else None) == sign


@pytest.mark.parametrize(
    "text", ["Ada Byron | Updated: 3 May", "Ada Byron (London)", "Ad"]
)
def test_more_or_less_than_a_name_is_no_author(text: str) -> None:
    assert guess(f"<p class='author'>{text}</p>", name="author") is None
    assert guess("<p class='author'>Ada Byron</p>", name="author") == NamedValue(
        "Ada Byron", sure=False
    )


def test_what_is_beside_a_label_is_guessed_where_no_name_is_believable() -> None:
    html = (
        "<p class='byline'>Monday 3 May | Room 12</p><p><b>By</b> <a>Ada Byron</a></p>"
    )
    found = guess(html, name="author", aliases=("by",))
    assert found == NamedValue("Ada Byron", sure=False)


@pytest.mark.parametrize(
    ("html", "day"),
    [
        ("<p><time>3 May 2021</time></p>", "2021-05-03"),
        ("<time>3 May 2021</time><time>2021-05-03</time>", "2021-05-03"),
        ("<time>3 May 2021</time><time>4 May 2021</time>", None),
        ("<nav><time>3 May 2021</time></nav>", None),
        ("<i>3 May 2021</i>", None),
    ],
)
def test_the_only_moment_of_a_page_is_its_date(html: str, day: str | None) -> None:
    found = guess(html, name="date_published", kind=FieldKind.DATE)
    assert found == (None if day is None else NamedValue(day, sure=False))
    assert guess(html, name="total_time", kind=FieldKind.MINUTES) is None


def test_a_label_that_stands_twice_and_says_one_thing_is_as_one() -> None:
    twice = "<p>Price <b>{}</b></p><p>Price <b>{}</b></p>"
    field = {"name": "price", "kind": FieldKind.NUMBER}
    assert guess(twice.format("8.33", "8.33"), **field) == NamedValue(
        "8.33", sure=False
    )
    assert guess(twice.format("8.33", "9.10"), **field) is None


def test_labels_of_what_speaks_of_other_pages_are_none() -> None:
    html = "<{0}><b>Author</b> <a href='/ads'>Advertise</a></{0}>"
    assert guess(html.format("div"), name="author") is not None
    assert guess(html.format("footer"), name="author") is None


def test_a_record_beside_a_sidebar_is_not_what_the_sidebar_says() -> None:
    text = "A broad lamp of brass for desks that are read at until late."
    other = "Ten lamps that our readers have bought again and again this year."
    html = (
        f"<div class='content-sidebar-wrap'><h1>Lamp</h1><p class='summary'>{text}</p>"
        f"<div class='sidebar'><p class='summary'>{other}</p></div></div>"
    )
    assert guess(html, name="description") == NamedValue(text, sure=False)


def test_what_a_shop_asks_in_a_form_is_part_of_the_page() -> None:
    html = "<form><div id='availability'>{}</div></form>"
    field = {
        "name": "availability",
        "kind": FieldKind.CHOICE,
        "choices": ("InStock", "OutOfStock"),
    }
    shown = guess(html.format("Nur noch 2 auf Lager"), **field)
    assert shown == NamedValue("InStock", sure=False)
    assert guess(html.format("Ask us"), **field) is None


def test_the_number_of_a_thing_is_a_few_words_with_a_digit() -> None:
    for name, label in (("sku", "Item number"), ("mpn", "Model number")):
        html = f"<b>{label}</b> <i>{{}}</i>"
        aliases = ("item number", "model number")
        assert guess(html.format("HMP 2000"), name=name, aliases=aliases)
        for other in ("4.0 out of 5 stars", "Acme Works"):
            assert guess(html.format(other), name=name, aliases=aliases) is None


def test_the_whole_name_of_another_field_is_no_short_label() -> None:
    html = "<b>Manufacturer</b> <i>Acme 3000</i>"
    assert guess(html, name="mpn", aliases=("manufacturer number",)) is None
    assert guess(html, name="brand", aliases=("manufacturer",)) is not None


def test_accents_do_not_keep_a_label_from_its_field() -> None:
    html = "<b>Préparation</b> <i>25 min</i>"
    field = {"name": "prep_time", "kind": FieldKind.MINUTES}
    assert guess(html, **field) == NamedValue(25, sure=False)
    assert guess(html, name="idle", aliases=("préparation",)) is not None


def test_the_sign_of_a_currency_stands_with_the_price() -> None:
    html = "<b>Price</b> <i>£39.50</i>"
    field = {"name": "currency", "aliases": ("price currency",)}
    assert guess(html, **field) == NamedValue("£", sure=False)
    assert guess(html.replace("£", ""), **field) is None


def test_a_label_goes_before_a_name_that_holds_several_numbers() -> None:
    html = "<p class='price'>RRP: £55.00 <b>Price</b> <i>£48.99</i></p>"
    field = {"name": "price", "kind": FieldKind.NUMBER}
    assert guess(html, **field) == NamedValue("48.99", sure=False)


@pytest.mark.parametrize(
    ("text", "told"), [("6-5", "6-5"), ("R.K.", "R.K."), ("GP", None), ("--", None)]
)
def test_a_short_text_beside_a_label_is_a_value_if_it_is_more_than_letters(
    text: str, told: str | None
) -> None:
    found = guess(f"<tr><th>Height</th><td>{text}</td></tr>", name="height")
    assert (found and found.value) == told
    assert guess(f"<i class='height'>{text}</i>", name="height") is None


def test_the_plain_name_of_a_thing_is_a_label_of_its_field() -> None:
    html = "<dl><dt>Date:</dt><dd>3 May 2021</dd></dl>"
    told = guess(html, name="date_posted", kind=FieldKind.DATE)
    assert told == NamedValue("2021-05-03", sure=False)
    assert guess(html, name="prep_time", kind=FieldKind.DATE) is None


def test_a_number_above_its_caption_is_not_the_next_one() -> None:
    box = "<li><b>{}</b> <p>{}</p></li>"
    html = box.format("4", "Yield") + box.format("10 min", "Prep time")
    minutes = {"name": "prep_time", "kind": FieldKind.MINUTES}
    last = html + "<p>25 min</p>"
    assert guess(html, name="yield", kind=FieldKind.NUMBER) == NamedValue("4", False)
    assert guess(last, **minutes) == NamedValue(10, sure=False)
    leading = last.replace("time", "time:")
    assert guess(leading, **minutes) == NamedValue(25, sure=False)
    # A name may stand behind a text of its own line.
    byline = "<p><a>News</a> <i>Author</i></p><p><b>Ada Byron</b></p>"
    assert guess(byline, name="author") == NamedValue("Ada Byron", sure=False)
