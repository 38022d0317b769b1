"""The words of the command line and of stored reports."""

from crawloop_assets.eval.tasks import CPU_SECONDS, Input, Task


def test_forms_of_a_page_have_the_names_the_command_takes() -> None:
    assert [form.value for form in Input] == ["as-is", "no-scripts", "bare"]


def test_tasks_are_the_groups_of_a_report() -> None:
    assert {task.value for task in Task} == {
        "compile",
        "compile_k2",
        "compile_k3",
        "zero_examples",
        "heal",
        "heal_blind",
        "alignable",
        "heal_templates",
        "listing",
        "drift",
    }


def test_a_family_may_take_minutes_of_cpu() -> None:
    assert 60 <= CPU_SECONDS <= 900
