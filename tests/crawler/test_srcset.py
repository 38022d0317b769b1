import pytest

from crawloop_assets.crawler.srcset import largest_of_srcset


@pytest.mark.parametrize(
    ("text", "largest"),
    [
        ("/a.jpg 300w, /b.jpg 1024w,/c.jpg 2x", "/b.jpg"),
        ("/a.jpg, /b.jpg 2x", "/b.jpg"),
        ("/a.jpg 1.2.3x, /b.jpg 2x", "/b.jpg"),
        ("/only.jpg", "/only.jpg"),
        (" , ", None),
    ],
)
def test_the_largest_of_several_pictures(text: str, largest: str | None) -> None:
    assert largest_of_srcset(text) == largest
