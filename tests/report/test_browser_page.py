"""The page in a browser: all loads, tables sort and filter, everything can be read and reached."""

import pytest

from browser import browser_page, overflow
from ccerates.report.render import write_report

CONTRASTS = """() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || element.closest("script, style")) continue;
    const shades = [parse(getComputedStyle(element).color), behind(element)].map(light);
    const [low, high] = shades.sort((one, other) => one - other);
    found.push([(high + 0.05) / (low + 0.05), element.outerHTML.slice(0, 80)]);
  }
  return found;
}"""

COLUMN = """place => Array.from(
    document.querySelectorAll("#tuning table.sortable tbody tr"), row => row.cells[place].innerText
)"""


@pytest.fixture(scope="module")
def window():
    """One for all tests, since only one may be open at a time; faults are told when it closes."""
    with browser_page() as page:
        yield page


@pytest.fixture(scope="module")
def url(make_sources, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    write_report(make_sources(folder / "sources"), folder / "report.html")
    return (folder / "report.html").as_uri()


@pytest.fixture
def page(window, url):
    """The page as it is when it was opened, on a desktop."""
    window.set_viewport_size({"width": 1280, "height": 900})
    window.emulate_media(media="screen", color_scheme="light")
    window.goto("about:blank")
    window.goto(url)
    return window


def heading(page, title):
    table = page.locator("#tuning table.sortable")
    return table.get_by_role("columnheader", name=title), table.get_by_role("button", name=title)


def test_a_click_sorts_numbers_as_numbers_and_missing_ones_last(page):
    samples, button = heading(page, "Samples to target")
    before = page.evaluate(COLUMN, 4)
    assert samples.get_attribute("aria-sort") is None
    button.click()
    assert page.evaluate(COLUMN, 4) == ["450", "30500", before[0], before[3]]
    assert page.evaluate(COLUMN, 2) == ["2", "1", "0.5", "4"]
    assert samples.get_attribute("aria-sort") == "ascending"
    button.click()
    assert page.evaluate(COLUMN, 4) == [before[0], "30500", "450", before[3]]
    assert samples.get_attribute("aria-sort") == "descending"
    _, other = heading(page, "Rate")
    other.click()
    assert page.evaluate(COLUMN, 2) == ["0.5", "1", "2", "4"]
    assert samples.get_attribute("aria-sort") is None


def test_the_keyboard_sorts_and_focus_is_seen(page):
    _, setting = heading(page, "Setting")
    setting.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Rate"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert page.evaluate(COLUMN, 2) == ["4", "2", "1", "0.5"]


def test_whatever_takes_the_focus_shows_it(page):
    seen = set()
    while True:
        page.keyboard.press("Tab")
        name, style, width = page.evaluate(
            """() => {
              const element = document.activeElement, look = getComputedStyle(element);
              return [element.tagName, look.outlineStyle, parseFloat(look.outlineWidth)];
            }"""
        )
        if name == "BODY":
            break
        seen.add(name)
        assert (style, width) == ("solid", 3), name
    assert {"A", "BUTTON", "SUMMARY", "DIV", "INPUT"} <= seen


def test_the_skip_link_comes_first_and_leads_to_the_content(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the content"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_links_of_the_contents_land(page):
    links = page.locator("nav a")
    assert links.count() == 7 + 3
    for number in range(links.count()):
        link = links.nth(number)
        link.click()
        target = link.get_attribute("href")
        box = page.locator(target).evaluate("one => one.getBoundingClientRect().top")
        assert page.evaluate("location.hash") == target
        assert 0 <= box < 900


def test_details_open_and_a_filter_keeps_matching_rows(page):
    config = page.locator("details", has_text="Configuration: small.yaml")
    assert not config.locator("pre").is_visible()
    config.locator("summary").click()
    assert "root_seed: 1729" in config.locator("pre").inner_text()
    rows = page.locator("#verify tbody tr")
    page.locator("#verify input").fill("Value=3 PASS")
    shown = [row.inner_text() for row in rows.all() if row.is_visible()]
    assert len(shown) == 10  # 30 to 39: 3 itself fails
    assert page.locator("#verify [role=status]").inner_text() == "10 of 40 rows"
    page.locator("#verify input").fill("")
    assert sum(row.is_visible() for row in rows.all()) == 40


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_width_overflows_and_no_text_is_faint(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert overflow(page) <= 0
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > 200
    assert min(contrasts)[0] >= 4.5, min(contrasts)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(253, 253, 251)") == (scheme == "light")
    figures = page.locator(".paper").evaluate_all(
        "all => all.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert set(figures) == {"rgb(255, 255, 255)"}


def test_images_are_drawn(page):
    drawn = "all => all.every(one => one.complete && one.naturalWidth > 0)"
    assert page.locator("img").count() == 1
    assert page.locator("img").evaluate_all(drawn)
    sizes = page.locator("figure svg").evaluate_all(
        "all => all.map(one => one.firstElementChild.getBoundingClientRect().width)"
    )
    assert len(sizes) == 4
    assert min(sizes) > 600


def test_figures_stay_legible_on_a_phone(page):
    """Text of 8 pt in a figure of 6.5 inches, at least as large as on paper."""
    page.set_viewport_size({"width": 390, "height": 900})
    widths = page.locator("figure img, figure svg").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().width)"
    )
    assert len(widths) == 5
    assert min(widths) >= 600


def test_print_is_dark_on_white_without_controls(page):
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator("nav").is_visible()
    assert min(page.evaluate(CONTRASTS))[0] >= 4.5
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
