"""What speaks against each untrue kind: on one page, on several, or only in the count of many.

A miss without a witness is no mistake of the checks; one with a witness is.
"""

from enum import StrEnum

from tests.drift.market_case import Kind
from tests.drift.market_pages import Look


class Witness(StrEnum):
    """What is there for a check to see."""

    SPLIT = "structured data and page say different things"
    WORDS = "new words around the value"
    NODES = "more elements of the reader's class than ever"
    HIDDEN = "nobody sees the element"
    KNOWN = "a steady value changed"
    EMPTIED = "a known value is read no more"
    KEY = "a known key at another url"
    OTHERS = "the values are another record's"
    JUMP = "a volatile value is far from the known one"
    SIGN = "the sign of the currency is new, or not that of the code"
    NOTATION = "digits or marks that the family does not use"
    NEW_KEY = "a new key of the same shape"
    AGE = "the answer says that it is old"
    ROWS = "row-like elements without a record, or fewer than a full page"
    FOREIGN = "the row leads elsewhere, or lacks what all others have"
    RATIO = "one ratio for several rows"
    SHARE = "more rows changed, or to one value, than ever"


W = Witness
_ON_PAGES = {W.WORDS, W.NODES, W.HIDDEN, W.SIGN}
"""Not in JSON."""

AGAINST: dict[str, tuple[Witness, ...]] = {
    "stated_price_lower": (W.SPLIT, W.RATIO),
    "stated_price_half": (W.SPLIT, W.RATIO),
    "stated_price_hundredth": (W.SPLIT, W.JUMP),
    "shown_price_lower": (W.SPLIT,),
    "stale_linked_data": (W.SPLIT,),
    "stale_page": (W.SPLIT,),
    "stated_price_of_yesterday": (W.SPLIT,),
    "cached_page": (W.AGE,),
    "member_price": (W.NODES, W.WORDS, W.RATIO),
    "api_member_price": (W.NEW_KEY, W.RATIO),
    "unit_price_first": (W.NODES, W.WORDS, W.SHARE),
    "unit_price_instead": (W.WORDS, W.SHARE),
    "price_of_100_grams": (W.WORDS, W.JUMP),
    "from_price": (W.WORDS, W.RATIO),
    "net_price": (W.WORDS, W.RATIO),
    "net_price_in_silence": (W.RATIO,),
    "monthly_rate": (W.WORDS, W.JUMP),
    "bundle_price": (W.WORDS, W.RATIO),
    "coupon_price": (W.WORDS, W.RATIO),
    "was_price": (W.WORDS, W.RATIO),
    "list_price_first": (W.NODES, W.RATIO),
    "hidden_price_first": (W.NODES, W.HIDDEN),
    "variant_price": (W.RATIO,),
    "price_of_another": (W.OTHERS,),
    "other_country": (W.RATIO,),
    "other_currency": (W.SIGN, W.KNOWN, W.RATIO),
    "other_currency_same_code": (W.SIGN, W.RATIO),
    "other_code_same_amount": (W.KNOWN,),
    "cloaked_price": (W.SHARE,),
    "placeholder_price": (W.JUMP, W.SHARE),
    "rounded_price": (W.SHARE,),
    "api_price_in_cents": (W.NEW_KEY, W.JUMP),
    "api_price_of_supplier": (W.NEW_KEY, W.RATIO),
    "api_price_left_behind": (W.NEW_KEY,),
    "decimal_comma": (W.NOTATION,),
    "thousands_dot": (W.NOTATION, W.JUMP),
    "indian_grouping": (W.NOTATION, W.JUMP),
    "full_width_digits": (W.NOTATION,),
    "arabic_digits": (W.NOTATION,),
    "apostrophe_grouping": (W.NOTATION,),
    "narrow_spaces": (W.NOTATION,),
    "raised_cents": (W.NOTATION, W.JUMP),
    "category_as_name": (W.KNOWN,),
    "prefix_new": (W.KNOWN,),
    "prefix_sale": (W.KNOWN,),
    "name_with_shop": (W.KNOWN,),
    "name_with_brand": (W.KNOWN,),
    "name_cut_with_dots": (W.KNOWN,),
    "name_cut": (W.KNOWN,),
    "brand_cut": (W.KNOWN,),
    "brand_cut_in_page": (W.KNOWN, W.SPLIT),
    "shop_as_brand": (W.KNOWN, W.SHARE),
    "description_cut": (W.KNOWN,),
    "description_of_the_shop": (W.KNOWN,),
    "api_supplier_as_brand": (W.KNOWN, W.NEW_KEY),
    "api_number_as_sku": (W.KNOWN, W.NEW_KEY),
    "exchanged_stock_and_reviews": (W.OTHERS,),
    "stock_of_all_stores": (W.SHARE,),
    "stock_said_of_all_stores": (W.WORDS, W.SHARE),
    "stock_capped": (W.SHARE,),
    "half_of_the_tags": (W.KNOWN,),
    "tags_of_another": (W.KNOWN, W.OTHERS),
    "tags_in_other_markup": (W.EMPTIED,),
    "reviews_in_other_markup": (W.EMPTIED,),
    "date_in_words": (W.EMPTIED,),
    "weight_of_the_parcel": (W.KNOWN,),
    "weight_in_pounds": (W.KNOWN, W.WORDS),
    "weight_in_grams": (W.KNOWN, W.WORDS),
    "day_and_month_exchanged": (W.KNOWN,),
    "day_before": (W.KNOWN,),
    "day_of_the_page": (W.KNOWN, W.SHARE),
    "hours_shifted": (W.KNOWN,),
    "hours_of_half_a_day": (W.KNOWN,),
    "key_taken_over": (W.KEY, W.KNOWN),
    "link_taken_over": (W.KEY, W.OTHERS),
    "substitute": (W.KEY, W.KNOWN),
    "substitute_under_own_key": (W.OTHERS, W.KNOWN),
    "featured_first": (W.NODES, W.SPLIT),
    "reviews_of_another": (W.OTHERS,),
    "reviews_of_the_shop": (W.JUMP, W.SHARE),
    "description_of_another": (W.OTHERS, W.KNOWN),
    "image_of_another": (W.OTHERS, W.KNOWN),
    "exchanged_names": (W.OTHERS, W.KNOWN),
    "exchanged_brands": (W.OTHERS, W.KNOWN),
    "exchanged_prices": (W.OTHERS,),
    "exchanged_all": (W.OTHERS, W.KNOWN),
    "shifted_names": (W.OTHERS, W.KNOWN),
    "shifted_brands": (W.OTHERS, W.KNOWN),
    "shifted_prices": (W.OTHERS,),
    "half_of_the_rows": (W.ROWS,),
    "rows_without_content": (W.ROWS,),
    "hidden_rows": (W.HIDDEN,),
    "sponsored_of_other_host": (W.FOREIGN,),
    "sponsored_of_own_host": (W.FOREIGN,),
    "first_price_for_all": (W.OTHERS,),
    "first_page_again": (W.KEY,),
}


def against(kind: Kind, look: Look, pages: int) -> tuple[Witness, ...]:
    """What speaks against a kind in a family where so many pages say it.

    A ratio needs five pages, a share a dozen; a page of a listing that says it in all its rows is many.
    """
    witnesses = []
    for witness in AGAINST[kind.name]:
        absent = (
            (witness in _ON_PAGES and look is Look.JSON)
            or (witness is W.SPLIT and look is not Look.LINKED)
            or (witness is W.RATIO and pages < 5)
            or (witness is W.SHARE and pages < 12)
        )
        if not absent:
            witnesses.append(witness)
    return tuple(witnesses)
