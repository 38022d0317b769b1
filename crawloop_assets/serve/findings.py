"""What page checks and record models say against a reading."""

from collections.abc import Sequence

from pydantic import ValidationError

from crawloop_assets.drift.check import CheckName, Finding, Invalid, Severity


def has_error(findings: Sequence[Finding]) -> bool:
    """Whether a page check says error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def schema_error(message: str) -> Finding:
    """An error because there is nothing that could be checked against the schema."""
    return Finding(check=CheckName.SCHEMA, severity=Severity.ERROR, message=message)


def invalid_fields(error: ValidationError, row: int) -> list[Invalid]:
    """The fields of a row that do not fit the user's model."""
    return [
        Invalid(row=row, field=".".join(map(str, item["loc"])), message=item["msg"])
        for item in error.errors()
    ]
