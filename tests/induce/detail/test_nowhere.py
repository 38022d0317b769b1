"""What is answered where no place says what was said."""

import pytest

from crawloop_assets.induce.detail.nowhere import NOWHERE, nowhere
from crawloop_assets.schema import FieldKind, FieldSpec

FLAG = FieldSpec(name="free", kind=FieldKind.BOOLEAN)


@pytest.mark.parametrize(
    ("kind", "at", "said", "is_other_asked"),
    [
        (FieldKind.BOOLEAN, "", [True], True),
        (FieldKind.CHOICE, "", ["open", "open"], True),
        (FieldKind.BOOLEAN, "", [True, False], False),
        (FieldKind.BOOLEAN, ".q2", [True], False),
        (FieldKind.NUMBER, "", ["3"], False),
    ],
)
def test_of_one_flag_or_choice_the_other_one_is_asked(
    kind: FieldKind, at: str, said: list[object], *, is_other_asked: bool
) -> None:
    answer = nowhere(FLAG.model_copy(update={"kind": kind}), at, said)  # type: ignore[arg-type]
    assert answer.startswith(NOWHERE)
    assert ("say the other one of another page" in answer) is is_other_asked
    assert ("at `.q2`" in answer) is bool(at)
