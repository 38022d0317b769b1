"""Page facts of simulated pages: they answer what a worker would have been asked."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.value_lookup import known_forms
from crawloop_assets.schema import FieldSpec


class ShownFacts(PageFacts):
    """Facts of a page that shows these forms and no others. Without `asking` nobody has asked for any of them."""

    forms: frozenset[str] = frozenset()

    def asking(
        self, records: Iterable[Mapping[str, Any]], specs: Iterable[FieldSpec]
    ) -> "ShownFacts":
        """The same after a worker was asked for the values of these records."""
        return self.model_copy(
            update={
                "stands": {
                    form: form in self.forms for form in known_forms(records, specs)
                }
            }
        )


def asking(outcome: PageOutcome, specs: Sequence[FieldSpec]) -> PageOutcome:
    """The outcome with the answers its page gives for what is read from it and what was known of it."""
    if not isinstance(outcome.facts, ShownFacts):
        return outcome
    return outcome.model_copy(
        update={
            "facts": outcome.facts.asking((*outcome.values, *outcome.previous), specs)
        }
    )
