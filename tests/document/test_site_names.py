"""A site is called by its host."""

import pytest

from crawloop_assets.document.site_names import site_names


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("https://www.dulse.example/a/b", {"dulseexample", "dulse"}),
        ("http://leek-broth.test:8000/", {"leekbrothtest", "leekbroth"}),
        ("http://desk/1", {"desk"}),
        ("", set()),
    ],
)
def test_site_names(url: str, names: set[str]) -> None:
    assert site_names(url) == names
