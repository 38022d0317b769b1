"""A prompt has a version that its text alone decides."""

from crawloop_assets.llm.prompts import Prompt, prompt


def test_another_text_is_another_version_and_the_same_one_is_not() -> None:
    one = Prompt("serve", "Copy.")
    assert one.version == Prompt("serve", "Copy.").version
    assert one.version != Prompt("serve", "Copy it.").version
    assert prompt("serve").version.startswith("serve-")
