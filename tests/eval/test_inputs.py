from pathlib import Path

import pytest

from crawloop_assets.eval.inputs import load_page
from crawloop_assets.eval.tasks import Input

HTML = """<!DOCTYPE html><html><head><meta name="price" content="1"><script>var x = "secret";</script></head>
<body><p itemprop="price" property="og:price" class="p">1 €</p></body></html>"""


@pytest.mark.parametrize(
    ("form", "present", "absent"),
    [
        (Input.AS_IS, ["secret", "<meta", "itemprop", "property="], []),
        (Input.NO_SCRIPTS, ["<meta", "itemprop", "property="], ["secret", "<script"]),
        (
            Input.BARE,
            ['class="p"', "1 €"],
            ["secret", "<meta", "itemprop", "property="],
        ),
    ],
)
def test_each_form_leaves_what_it_says(
    tmp_path: Path, form: Input, present: list[str], absent: list[str]
) -> None:
    file = tmp_path / "page.html"
    file.write_text(HTML)
    text = load_page(file, "https://a.example/", form).text
    assert [part for part in present if part not in text] == []
    assert [part for part in absent if part in text] == []


def test_an_empty_page_stays_empty(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("")
    assert load_page(file, "https://a.example/", Input.BARE).body == b""
