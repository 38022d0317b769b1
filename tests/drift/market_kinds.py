"""All ways in which pages of the small shop say something untrue."""

from tests.drift import false_prices, false_records, false_values
from tests.drift.market_case import Kinds

KINDS = Kinds(false_prices.KINDS | false_values.KINDS | false_records.KINDS)
