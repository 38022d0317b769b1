"""What was spent, and what a model per page would have cost."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from crawloop_assets.store.chronicle import FamilyCosts, PurposeCosts

COST_COLUMNS = (
    "family",
    "pages read",
    "model calls",
    "spent",
    "a model per page",
    "saved",
)
PURPOSE_COLUMNS = (
    "for",
    "model calls",
    "kept answers",
    "tokens in",
    "tokens out",
    "spent",
    "counted",
    "asked with",
)


def purpose_cells(one: PurposeCosts) -> tuple[str, ...]:
    """One line of the table of what a family's calls were for."""
    tokens = (f"{one.tokens_in:,}", f"{one.tokens_out:,}")
    dollars = (f"${one.usd:.4f}", f"${one.counted:.4f}")
    return (
        one.purpose,
        str(one.calls),
        str(one.cached),
        *tokens,
        *dollars,
        ", ".join(one.prompts),
    )


@dataclass(frozen=True)
class ModelPrice:
    """What a model is taken to need for a page, and to cost: tokens of a page and of its
    answer, dollars for a million of each."""

    tokens_in: int = 6_000
    tokens_out: int = 400
    usd_in: float = 0.15
    usd_out: float = 0.60

    @property
    def usd(self) -> float:
        """Dollars for one page."""
        return (self.tokens_in * self.usd_in + self.tokens_out * self.usd_out) / 1e6

    def __str__(self) -> str:
        return (
            f"${self.usd:.5f} for a page: {self.tokens_in:,} tokens at ${self.usd_in:g} and {self.tokens_out:,} "
            f"at ${self.usd_out:g} for a million"
        )


@dataclass(frozen=True)
class Savings:
    """The costs of a family beside those of a model that reads every page: at what its
    own pages cost that a model did read, else at an assumed price."""

    costs: FamilyCosts
    price: ModelPrice

    @property
    def usd_of_a_page(self) -> float:
        """Dollars that a model takes for a page of the family."""
        own = self.costs.usd_of_a_page
        return self.price.usd if own is None else own

    @property
    def by_model(self) -> float:
        """Dollars, had a model read every page."""
        return self.costs.pages * self.usd_of_a_page

    def cells(self) -> tuple[str, ...]:
        """One line of the table."""
        one = self.costs
        unknown, most = (
            (f" and {one.unknown} of unknown price", "at most ")
            if one.unknown
            else ("", "")
        )
        saved = self.by_model - one.usd
        return (
            one.family,
            f"{one.pages:,}",
            str(one.calls),
            f"${one.usd:.4f}{unknown}",
            f"${self.by_model:.4f}",
            f"{most}${saved:.4f}",
        )

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        more = {
            "usd_by_model": self.by_model,
            "price_is_own": self.costs.usd_of_a_page is not None,
        }
        return asdict(self.costs) | more | {"assumed_usd_of_a_page": self.price.usd}


def assumption(price: ModelPrice, found: list[Savings]) -> Iterator[str]:
    """What the figures rest on, in sentences."""
    own = [one.costs.family for one in found if one.costs.usd_of_a_page is not None]
    if own:
        yield f"Of {', '.join(own)} a model did read pages: theirs are taken at what that cost on average."
    if len(own) < len(found):
        yield f"Assumed is {price} (a small model; --usd-in, --usd-out and --tokens say others)."
