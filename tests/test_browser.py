"""The page that tests open notices what goes wrong with it."""

import pytest

from browser import browser_page, overflow

FAULTS = {
    "<script>console.error('oh')</script>": "console: oh",
    "<script>throw new Error('no')</script>": "script: no",
    "<img src='absent.png' alt=''>": "failed to load",
    "<img src='https://example.org/a.png' alt=''>": "request to the network",
}


@pytest.mark.parametrize("body", FAULTS)
def test_faults_of_a_page_are_told(tmp_path, body):
    path = tmp_path / "page.html"
    path.write_text(f"<!DOCTYPE html><title>page</title>{body}")
    with pytest.raises(AssertionError, match=FAULTS[body]), browser_page() as page:
        page.goto(path.as_uri())


def test_width_of_the_window_and_overflow(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<!DOCTYPE html><body style='margin: 0'><div style='width: 400px'>wide</div>")
    for width, excess in ((390, 10), (1280, 0)):
        with browser_page(width) as page:
            page.goto(path.as_uri())
            assert overflow(page) == excess


def test_color_scheme(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<!DOCTYPE html><title>page</title>")
    for scheme in ("light", "dark"):
        with browser_page(color_scheme=scheme) as page:
            page.goto(path.as_uri())
            assert page.evaluate(f"matchMedia('(prefers-color-scheme: {scheme})').matches")
