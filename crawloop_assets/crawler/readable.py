"""A program for people: one line for each of its readers."""

from typing import TYPE_CHECKING

from crawloop_assets.schema import FieldSpec, Shape

if TYPE_CHECKING:
    from crawloop_assets.crawler.program import Boundary, FieldProgram, Reader


def field_lines(field: "FieldProgram", indent: str) -> list[str]:
    """A field for people, with its readers and its parts below it."""
    lines = [f"{indent}{_spec_line(field.spec)}"]
    if field.items:
        lines.append(f"{indent}  items: {boundary_line(field.items)}")
    for reader in field.readers:
        lines.append(f"{indent}  - {reader_line(reader)}")
    for part in field.fields:
        lines.extend(field_lines(part, indent + "  "))
    return lines


def _spec_line(spec: FieldSpec) -> str:
    """A field's name and what it holds."""
    line = f"{spec.name}: "
    if spec.shape is not Shape.ONE:
        line += f"{spec.shape.value} of "
    line += spec.kind.value
    if spec.required:
        line += ", required"
    return line


def boundary_line(boundary: "Boundary") -> str:
    """Where records are, for people."""
    line = f"{boundary.mode.value} {boundary.at}"
    if boundary.keep_if:
        line += f" keep if {', '.join(boundary.keep_if)}"
    return line


def reader_line(reader: "Reader") -> str:
    """Source, place, what of it, transforms, kin and weight."""
    place = f"{reader.src.value} {reader.at} -> {reader.get}"
    steps = "".join(f" | {step}" for step in reader.pipe)
    return f"{place}{steps}  [{reader.kin.value} {reader.weight:g}]"
