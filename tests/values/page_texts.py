"""Texts such as pages hold, and such as nobody should: for laws over all of them."""

from hypothesis import strategies as st

PIECES = (
    "1", "23", "456", "007", "1234567", "9" * 40, "٣٤", "٫", "٬", "１２", "．", "²", "½", "/", "٠", ".", ",", "'",
    "’", " ", "\u202f", "-", "−", "+", ":", "%", "e5", "x", "w", "h", "H", "PT", "P", "T", "M", "S", "hour", "min",
    "EUR", "€", "₹", "$", "Rs.", "am", "p.m.", "Z", "+99:99", "+02:00", "2021-03-04", "3/4/2021", "March", "lipnja",
    "listopada", "de", "10:00:75", "\0", "\ud800", "\u202e", "\u200f", "<b>", "&#0;", "&#x202e;", "(", ")", "{}",
    "http://[", "/a b.pdf", "\n",
)  # fmt: skip
page_texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join) | st.text(
    max_size=40
)
"""Pieces of numbers, dates, durations and addresses in any order, and any text."""
