"""A page in headless Chromium that notices whatever goes wrong with it.

Debian's Chromium, or the one that the environment variable ``CHROMIUM`` names, driven by
Playwright. Without a browser tests are skipped, unless ``CCERATES_REQUIRE_BROWSER`` is set.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, Response, sync_playwright

LOCAL_SCHEMES = ("file:", "data:", "blob:", "about:")
NAMES = ("chromium", "chromium-browser", "google-chrome")


def _executable() -> str:
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        message = "no chromium found: install it, or name it in CHROMIUM"
        if os.environ.get("CCERATES_REQUIRE_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    return path


def _watch(page: Page, faults: list[str]) -> None:
    def console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            faults.append(f"console: {message.text}")

    def request(request: Request) -> None:
        if not request.url.startswith(LOCAL_SCHEMES):
            faults.append(f"request to the network: {request.url}")

    def response(response: Response) -> None:
        if response.status >= 400:
            faults.append(f"status {response.status}: {response.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    page.on("request", request)
    page.on("requestfailed", lambda request: faults.append(f"failed to load: {request.url}"))
    page.on("response", response)


@contextmanager
def browser_page(width: int = 1280, color_scheme: str = "light") -> Iterator[Page]:
    """Open an empty page; open a file in it by ``page.goto(path.as_uri())``.

    One page may be open at a time.

    Parameters
    ----------
    width
        Width of the window in CSS pixels; 390 is a phone.
    color_scheme
        What the reader prefers: ``light`` or ``dark``.

    Yields
    ------
    playwright.sync_api.Page
        The page, without a network.

    Raises
    ------
    AssertionError
        On leaving, if there was an error or a warning on the console, an exception in a script, a
        file that failed to load, or a request to anything but local files and data.
    """
    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=_executable(), args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=color_scheme, offline=True
        )
        page = context.new_page()
        _watch(page, faults)
        yield page
        browser.close()
    assert not faults, "\n".join(faults)


def overflow(page: Page) -> float:
    """Return by how many CSS pixels a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
