"""What page checks and record models say against a reading."""

from collections.abc import Sequence

from pydantic import ValidationError

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.drift.check import CheckName, Finding, Invalid, Severity


def has_error(findings: Sequence[Finding]) -> bool:
    """Whether a page check says error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def schema_error(message: str) -> Finding:
    """An error because there is nothing that could be checked against the schema."""
    return Finding(check=CheckName.SCHEMA, severity=Severity.ERROR, message=message)


def invalid_fields(error: ValidationError, read: ExtractedRecord) -> list[Invalid]:
    """The fields of a row that do not fit the user's model. A new status of an API is no
    field that is missing: what its page says is none of the choices."""
    unlisted = {name: vote.unlisted for name, vote in read.votes.items()}
    found = []
    for item in error.errors():
        name, message = ".".join(map(str, item["loc"])), item["msg"]
        if said := unlisted.get(name):
            message = f'"{said}" is none of its choices'
        found.append(Invalid(row=read.row, field=name, message=message))
    return found
