"""The pages that nobody writes name every key and every command."""

from checks.site import keys_page, site_pages
from crawloop_assets.family import Family
from tests.cli.test_app import commands


def test_every_key_has_its_line_with_what_it_takes() -> None:
    page = keys_page("family")
    keys = [field.alias or name for name, field in Family.model_fields.items()]
    assert [key for key in keys if f"\n| `{key}` |" not in page] == []
    assert '| `max_interval` | text or a number | `"7d"` |' in page
    assert "| `seeds` | a list of text | `[]` |" in page
    assert "[Discover](#discover)" in page and "\n## Discover\n" in page


def test_every_command_has_its_section_and_example() -> None:
    page = site_pages()["reference/commands.md"]
    assert [name for name in commands() if f"\n## crawloop {name}\n" not in page] == []
    assert "```sh\ncrawloop try shop/product\n```" in page


def test_what_lies_at_the_root_links_into_the_site() -> None:
    changes = site_pages()["changelog.md"]
    assert "](upgrading.md)" in changes and "](docs/" not in changes
