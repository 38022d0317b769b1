"""What is proposed for pages: the fields of their records, and some records as proof."""

from functools import partial
from operator import attrgetter

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.schema import FieldSpec, Notation, RecordSchema
from crawloop_assets.values.value import Value


class ProposedField(BaseModel):
    """One field of the proposed model.

    `least` and `most` bound a number, None for no bound; `sources` say where its values
    stand, each once, best first.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    spec: FieldSpec
    least: int | None = None
    most: int | None = None
    sources: tuple[str, ...] = ()


class Proposal(BaseModel):
    """The records of some pages, as far as their structure tells them.

    `examples` hold what stands at the place of each field, by position of the page;
    `key` are the fields that tell records apart ("url" may be the page's address);
    `notation` is what the texts say of currency and units. `links` are the pages that
    the rows lead to; `left_out` are rows of the first page that were not looked at.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FamilyKind
    fields: tuple[ProposedField, ...]
    examples: tuple[Example, ...]
    key: tuple[str, ...]
    notation: Notation = Notation()
    links: tuple[str, ...] = ()
    left_out: int = 0

    def schema_named(self, name: str) -> RecordSchema:
        """The proposed fields as the schema of that name."""
        return RecordSchema(
            name=name, fields=tuple(map(attrgetter("spec"), self.fields))
        )

    def without(self, names: frozenset[str]) -> "Proposal":
        """The proposal without some fields; the key stays as it is."""
        fields = tuple(one for one in self.fields if one.spec.name not in names)
        examples = tuple(map(partial(_lacking, names), self.examples))
        return self.model_copy(update={"fields": fields, "examples": examples})

    def shown(self, rows: int) -> tuple[Example, ...]:
        """The first rows of each page, as examples: with so many a crawler is made."""
        return tuple(
            example.model_copy(update={"records": example.records[:rows]})
            for example in self.examples
        )


def _lacking(names: frozenset[str], example: Example) -> Example:
    """An example whose records say nothing of some fields."""
    records: list[dict[str, Value]] = []
    for record in example.records:
        kept = record.keys() - names
        records.append(dict(filter(lambda pair: pair[0] in kept, record.items())))
    return example.model_copy(update={"records": tuple(records)})
