"""The page in a real browser: walked, sorted, shared, exported, with the mouse, the keyboard and a phone.

They need Chromium (Debian's package `chromium`) and are skipped where there is none, unless `ERRAI_REQUIRE_BROWSER` is
set. `ERRAI_SCREENSHOTS=DIR` draws the pictures of the guide from the solutions in DIR.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from typing import Literal

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from playwright.sync_api import Browser, BrowserContext, Page, Request, ViewportSize, expect, sync_playwright  # noqa: E402

from serve.running import serving  # noqa: E402

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SCREENSHOTS = os.environ.get("ERRAI_SCREENSHOTS")
IMAGES = Path(__file__).parents[2] / "docs" / "images"
expect.set_options(timeout=20_000)  # a busy machine is no fault of the page
DESKTOP = ViewportSize(width=1440, height=900)
PHONE = ViewportSize(width=390, height=844)
Theme = Literal["light", "dark"]

if CHROMIUM is None and not os.environ.get("ERRAI_REQUIRE_BROWSER"):
    pytest.skip("no browser: `apt-get install chromium` installs one", allow_module_level=True)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page saves."""
    return tmp_path_factory.mktemp("saved")


@pytest.fixture(scope="module")
def address(solutions: Path, saved: Path) -> Iterator[str]:
    with serving([saved, solutions]) as url:
        yield url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM is not None, "Chromium is required and not there"
    with sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Opens a view; at the end the console must be empty, and every request must have gone to the server."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def verify_request(request: Request) -> None:
        if not request.url.startswith((address, "blob:", "data:")):
            complaints.append(f"request: {request.url}")

    def watch(page: Page) -> None:
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("request", verify_request)

    def open_view(view: str, *, size: ViewportSize = DESKTOP, theme: Theme = "light") -> Page:
        context = browser.new_context(viewport=size, color_scheme=theme, accept_downloads=True)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        watch(page)
        page.goto(address + view)
        page.wait_for_selector("main > *")
        return page

    yield open_view
    for context in contexts:
        context.close()
    assert complaints == []


TURN = "?strategy=turn"


def action(page: Page, name: str) -> None:
    page.locator(".action", has_text=re.compile(f"^\\d?{name}")).click()


def test_the_tree_is_walked_and_cards_are_dealt(open_page: OpenPage) -> None:
    page = open_page(TURN)
    action(page, "Check")
    expect(page.locator(".acting h2")).to_contain_text("Dealer")
    action(page, "Check")
    expect(page.locator("h2", has_text="Choose the next card")).to_be_visible()
    expect(page.locator('[data-card="2c"]')).to_have_attribute("aria-label", re.compile("check \\d+ %.*equity"))
    page.locator("[data-colour=cards]").select_option("equity")
    expect(page.locator('[data-card="2c"] small')).to_contain_text("%")
    page.locator('[data-card="2c"]').click()
    expect(page.locator(".line .step.deal")).to_contain_text("2♣")
    assert "betting=rc/cc/cc/&board=Ks8s3d7h2c" in page.url
    page.locator(".line .step").first.locator("button.option", has_text="Bet 20").click()
    expect(page.locator(".action")).to_have_text([re.compile("Fold"), re.compile("Call"), re.compile("Raise 40")])
    page.go_back()
    expect(page.locator(".line .step.deal")).to_contain_text("2♣")


def test_the_end_of_a_hand_says_who_wins(open_page: OpenPage) -> None:
    page = open_page(TURN + "&betting=rc/cc/cr&board=Ks8s3d7h")
    action(page, "Fold")
    expect(page.locator("h2", has_text="The dealer wins 60")).to_be_visible()


def test_a_view_is_shared_by_its_address(open_page: OpenPage) -> None:
    page = open_page(TURN)
    action(page, "Check")
    page.locator(".range.acting [data-hand=QQ]").click()
    page.locator(".range.acting select").select_option("value")
    page.locator("[data-sort=reach]").click()
    page.locator("#filter").fill("QQ, ak")
    page.wait_for_timeout(50)
    other = open_page(page.url.removeprefix(page.url.split("?")[0]))
    expect(other.locator(".detail h3")).to_have_text("QQ")
    expect(other.locator(".range.acting select")).to_have_value("value")
    expect(other.locator("th[aria-sort=descending]")).to_contain_text("Reach")
    expect(other.locator(".hands tbody tr")).to_have_count(6 + 9)  # `AKo` without the king on the board
    assert (
        other.locator(".range.acting [data-hand=QQ] .number").inner_text()
        == page.locator(".range.acting [data-hand=QQ] .number").inner_text()
    )


def test_hands_are_sorted_filtered_and_pinned(open_page: OpenPage) -> None:
    page = open_page(TURN)
    rows = page.locator(".hands tbody tr")
    expect(page.locator("th[aria-sort=descending]")).to_contain_text("Value")
    values = [
        float(text.replace("\N{MINUS SIGN}", "-").replace(",", ""))
        for text in page.locator(".hands tbody tr td:nth-child(7)").all_inner_texts()
    ]
    assert values == sorted(values, reverse=True)
    page.locator("#filter").fill("set")
    expect(page.locator(".hands")).not_to_contain_text("top pair")
    page.locator("#filter").fill("76s")
    expect(rows).to_have_count(3)  # the board holds one of four
    page.locator(".range.acting [data-hand=KQs]").hover()
    expect(page.locator(".detail .suit-row")).to_have_count(3)
    page.locator(".range.acting [data-hand=KQs]").click()
    page.locator(".range.acting [data-hand=AA]").hover()
    expect(page.locator(".detail h3")).to_have_text("AA")
    page.mouse.move(0, 0)
    expect(page.locator(".detail h3")).to_have_text("KQs")
    page.locator("button", has_text="Unpin").click()
    expect(page.locator(".detail h3")).to_have_text("Overview")


def test_what_is_shown_can_be_taken_away(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(TURN)
    for label, start in (("CSV", b"hand,"), ("Parquet", b"PAR1")):
        with page.expect_download() as download:
            page.locator("a", has_text=label).click()
        assert Path(download.value.path()).read_bytes().startswith(start)
    with page.expect_download() as download:
        page.locator(".range.acting button", has_text="PNG").click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    page.locator(".range.acting button", has_text="Copy range").click()
    expect(page.locator(".range.acting button", has_text="Copied")).to_be_visible()
    assert "AA" in page.evaluate("navigator.clipboard.readText()")


def test_a_report_is_filtered_sorted_saved_and_leads_to_its_boards(open_page: OpenPage) -> None:
    page = open_page(TURN + "&betting=rc/cc/cc/&view=report")
    expect(page.locator("[role=status]", has_text="48 rows")).to_be_visible()
    page.locator("[data-filter=pairing]").select_option("paired")
    expect(page.locator("[role=status]", has_text="12 rows")).to_be_visible()
    page.locator("[data-sort=c]").click()
    with page.expect_download() as download:
        page.locator("a", has_text="Parquet").click()
    assert Path(download.value.path()).read_bytes().startswith(b"PAR1")
    with page.expect_download() as download:
        page.locator("button", has_text="PNG").click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    page.locator("[data-filter=chart]").select_option("values_chips0")
    page.locator(".report-chart").hover()
    expect(page.locator(".chart-hint")).to_contain_text("Value: big blind")
    with page.expect_download() as download:
        page.locator("button", has_text="CSV").click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert len(lines) == 13
    checks = [float(line.split(",")[5]) for line in lines[1:]]
    assert checks == sorted(checks, reverse=True)
    page.locator(".hands").last.locator("tbody button").first.click()
    expect(page.locator(".acting h2")).to_contain_text("Big blind")
    assert f"board=Ks8s3d7h{lines[1].split(',')[0]}" in page.url


def test_flops_are_coloured_before_one_is_chosen(open_page: OpenPage) -> None:
    page = open_page("?strategy=small/flop&betting=cc/")
    expect(page.locator('[data-card="As"]')).to_have_attribute("aria-label", re.compile("check \\d+ %"))
    for card in ("As", "Kh", "Qd"):
        page.locator(f'[data-card="{card}"]').click()
    expect(page.locator(".line .step.deal")).to_contain_text("A♠")
    expect(page.locator(".acting h2")).to_contain_text("Big blind")


def test_cards_that_are_clicked_faster_than_the_page_loads_are_all_dealt(open_page: OpenPage) -> None:
    page = open_page("?strategy=small/flop&betting=cc/")
    expect(page.locator('[data-card="As"]')).to_be_visible()
    page.evaluate(
        """() => {
            const find = (card) => document.querySelector(`[data-card="${card}"]`);
            for (const button of ["As", "As", "Kh", "Qd", "Ks"].map(find)) button.click();
        }"""
    )
    expect(page.locator(".line .step.deal")).to_contain_text("A♠")
    assert "board=AsKhQd" in page.url


def test_a_river_is_painted_estimated_solved_looked_at_and_saved(open_page: OpenPage, saved: Path) -> None:
    page = open_page("?view=solve")
    first = page.locator(".painters .panel").first
    first.locator("button", has_text="None").click()
    expect(first.locator(".note").first).to_have_text("0 hands, 0.0 %")
    start, end = (first.locator(f"[data-paint={hand}]").bounding_box() for hand in ("AA", "AJs"))
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 5, end["y"] + 5, steps=12)
    page.mouse.up()
    expect(first.locator("textarea")).to_have_value("AA,AJs+")
    second = page.locator(".painters .panel").nth(1)
    second.locator("textarea").fill("QQ-99, KQs:0.5")
    second.locator("textarea").blur()
    expect(second.locator("[data-paint=TT]")).to_have_attribute("aria-pressed", "true")
    expect(second.locator("[data-paint=KQs]")).to_have_attribute("aria-label", "KQs: 50 %")
    page.locator("#solve-locks").fill("root: AA check=1")
    page.locator("#solve-locks").blur()
    expect(page.locator(".solve-status")).to_contain_text("of memory")
    page.locator(".solve-status .primary").click()
    expect(page.locator(".solve-status h2")).to_have_text("Done")
    expect(page.locator(".solve-status svg.chart")).to_be_visible()
    page.locator("#solve-name").fill("painted")
    page.locator("[data-act=save]").click()
    expect(page.locator(".acting h2")).to_contain_text("Big blind")
    expect(page.locator("#strategy")).to_have_value("painted")
    expect(page.locator(".range.acting [data-hand=AQs]")).to_have_attribute("aria-label", re.compile("check"))
    expect(page.locator(".range.acting [data-hand=AA]")).to_have_attribute("aria-label", re.compile("check 100.0 %"))
    assert (saved / "painted" / "solution.json").exists()


def test_a_node_is_locked_from_where_one_looks(open_page: OpenPage) -> None:
    page = open_page("?strategy=menu")
    action(page, "Bet 50")
    expect(page.locator(".acting h2")).to_contain_text("Dealer")
    page.keyboard.press("l")
    expect(page.locator("#solve-locks")).to_have_value(re.compile(r"^r50: fold=\d+\.\d%,call=\d+\.\d%$"))
    expect(page.locator("#solve-board")).to_have_value("QsJh2h8c3d")
    expect(page.locator("#solve-pot")).to_have_value("100")
    expect(page.locator(".painters textarea").first).to_have_value("AA,A5o,KQs,T9s,76s")
    expect(page.locator(".solve-status")).to_contain_text("of memory")
    page.go_back()
    page.locator(".line .step-title").first.click()
    expect(page.locator(".acting h2")).to_contain_text("Big blind")
    page.locator("button", has_text="Lock this node").click()
    expect(page.locator("#solve-locks")).to_have_value(re.compile(r"^r50: .*\nroot: check="))
    page.locator("#solve-locks").fill("r50: fold=100%")
    page.locator("#solve-locks").blur()
    page.locator(".solve-status .primary").click()
    expect(page.locator(".solve-status h2")).to_have_text("Done")
    page.locator("[data-act=look]").click()
    action(page, "Bet 50")
    expect(page.locator(".action", has_text="Fold")).to_contain_text("100.0 %")
    page = open_page("?strategy=leduc")
    expect(page.locator(".action").first).to_be_visible()
    expect(page.locator("button", has_text="Lock this node")).to_have_count(0)  # it is no spot


def test_average_and_current_strategy_are_chosen(open_page: OpenPage) -> None:
    page = open_page("?strategy=leduc")
    shares = page.locator(".action-share")
    average = shares.all_inner_texts()
    expect(page.locator("#summary")).to_contain_text("mbb exploitable")
    page.locator("#kind").select_option("current")
    expect(shares.first).not_to_have_text(average[0])
    assert "kind=current" in page.url
    expect(page.locator("#summary")).not_to_contain_text("exploitable")
    current = shares.all_inner_texts()
    page.locator(".action").first.click()
    page.go_back()
    expect(shares).to_have_text(current)
    page.locator("#kind").select_option("")
    expect(shares).to_have_text(average)


def test_any_size_is_bet_in_a_no_limit_game(open_page: OpenPage) -> None:
    page = open_page("?view=play&strategy=menu")
    for _ in range(20):
        expect(page.locator(".table h2")).to_be_visible()
        if page.locator(".action", has_text="Bet 50").count():
            break
        while not page.locator("[data-key=n]").count():
            shown = page.locator(".play").inner_text()
            page.locator(".action").first.click()
            page.wait_for_function("shown => document.querySelector('.play').innerText !== shown", arg=shown)
        page.keyboard.press("n")
        page.wait_for_selector(".action")
    page.keyboard.press("s")
    page.keyboard.type("73")
    page.keyboard.press("Enter")
    expect(page.locator(".events")).to_contain_text("bet 73")
    expect(page.locator(".advice, .note", has_text="Bet 73").first).to_be_visible()


def test_ten_hands_are_played_rated_and_saved(open_page: OpenPage) -> None:
    page = open_page("?view=play&strategy=turn")
    for number in range(1, 11):
        expect(page.locator(".table h2")).to_have_text(f"Hand {number}")
        while page.locator(".action").count():
            shown = page.locator(".play").inner_text()
            page.locator(".action", has_text=re.compile("Check|Call")).click()
            page.wait_for_function("shown => document.querySelector('.play').innerText !== shown", arg=shown)
        expect(page.locator(".outcome")).to_have_text(re.compile("You win|You lose|Nobody wins"))
        expect(page.locator(".advice").first).to_contain_text("costs")
        if number == 5:
            page.reload()
            expect(page.locator(".table h2")).to_have_text("Hand 5")
        if number < 10:
            page.keyboard.press("n")
    expect(page.locator("table.plain")).to_contain_text(re.compile("luck removed.* ± "))
    with page.expect_download() as download:
        page.locator("a", has_text="Save the hands").click()
    assert Path(download.value.path()).read_text().count("variant = ") == 10


def test_everything_is_done_with_the_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page(TURN)
    keys = page.keyboard
    keys.press("1")
    expect(page.locator(".acting h2")).to_contain_text("Dealer")
    keys.press("1")
    page.wait_for_selector(".deal-grid")
    keys.press("r")
    expect(page.locator(".line .step.deal")).to_be_visible()
    keys.press("u")
    page.wait_for_selector(".deal-grid")
    page.locator('[data-card="As"]').focus()
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(page.locator(".line .step.deal")).to_contain_text("A♥")
    page.locator(".range.acting .cell").first.focus()
    keys.press("ArrowDown")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    expect(page.locator(".detail h3")).to_have_text("KQs")
    keys.press("Enter")
    assert "hand=0:KQs" in page.url
    assert page.evaluate("document.activeElement.dataset.hand") == "KQs"
    keys.press("/")
    keys.type("AA")
    expect(page.locator(".hands tbody tr")).to_have_count(3)  # of six, one ace being on the board
    keys.press("Escape")
    keys.press("?")
    expect(page.locator("dialog")).to_be_visible()
    keys.press("Escape")
    keys.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    reached = set()
    for _ in range(40):
        keys.press("Tab")
        reached.add(page.evaluate("document.activeElement.className.split(' ')[0] || document.activeElement.id"))
    assert {"choice", "option", "action", "cell", "quiet"} <= reached


@pytest.mark.parametrize(
    ("view", "theme"),
    [
        (TURN + "&hand=0:AA", "light"),
        (TURN + "&betting=rc/cc/cc/&colour=equity", "dark"),
        (TURN + "&betting=rc/cc/cc/&view=report", "light"),
        ("?strategy=leduc&colour=value", "dark"),
        ("?view=solve", "light"),
        ("?view=play&strategy=menu", "light"),
    ],
)
def test_axe_finds_no_serious_fault(open_page: OpenPage, view: str, theme: Theme) -> None:
    page = open_page(view, theme=theme)
    page.wait_for_timeout(300)
    found = Axe().run(page).response["violations"]
    serious = [
        f"{fault['id']}: {fault['nodes'][0]['html'][:200]}"
        for fault in found
        if fault["impact"] in {"serious", "critical"}
    ]
    assert serious == []


def test_a_phone_shows_it_without_scrolling_sideways(open_page: OpenPage) -> None:
    for view in (TURN, TURN + "&betting=rc/cc/cc/", TURN + "&betting=rc/cc/cc/&view=report", "?view=solve"):
        page = open_page(view, size=PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_an_error_is_shown_and_the_page_lives_on(open_page: OpenPage, browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    page.goto(address + "?strategy=turn&betting=xyz")
    expect(page.locator("#message")).to_contain_text("character 1")
    page.locator("#strategy").select_option("leduc")
    expect(page.locator(".action").first).to_be_visible()
    expect(page.locator("#message")).to_be_hidden()
    context.close()


WATCH = """seat => {
  let begun = null;
  for (const type of ["click", "keydown"]) {
    addEventListener(type, (event) => (begun ??= event.timeStamp), { capture: true, once: true });
  }
  window.shown = new Promise((done) => {
    const watch = new MutationObserver(() => {
      if (begun === null || !document.querySelector(".acting h2")?.textContent.startsWith(seat)) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
    });
    watch.observe(document.getElementById("content"), { childList: true });
  });
}"""


def milliseconds_to_chart(page: Page, act: Callable[[], None], seat: str) -> float:
    """From the click or the key to the next player's hands on the screen, by the browser's own clock."""
    page.evaluate(WATCH, seat)
    act()
    return float(page.evaluate("window.shown"))


def test_clicks_are_answered_at_once(open_page: OpenPage, capsys: pytest.CaptureFixture[str]) -> None:
    """The median is printed; how fast this machine is today is no property of the page."""
    page = open_page(TURN)
    steps = [
        (lambda: action(page, "Check"), "Dealer"),
        (lambda: page.keyboard.press("u"), "Big blind"),
    ]
    milliseconds = [milliseconds_to_chart(page, act, seat) for _ in range(25) for act, seat in steps]
    with capsys.disabled():
        print(f"\nmedian of {len(milliseconds)} clicks in the explorer: {median(milliseconds):.0f} ms")


@pytest.mark.skipif(SCREENSHOTS is None, reason="`ERRAI_SCREENSHOTS=DIR` has the solution of `make solve`")
def test_clicks_in_flop_holdem_are_answered_at_once(browser: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    """Every click is to another flop, so that nothing was computed before."""
    assert SCREENSHOTS is not None
    milliseconds = []
    with serving([Path(SCREENSHOTS)]) as url:
        page = browser.new_context(viewport=DESKTOP).new_page()
        for low, high in product("23456", "TJQKA"):
            page.goto(f"{url}?strategy=flop-holdem&betting=rc/&board={high}s8h{low}d")
            page.locator(".acting h2", has_text="Big blind").wait_for()
            for name, seat in (("Check", "Dealer"), ("Bet 100", "Big blind")):
                milliseconds.append(milliseconds_to_chart(page, partial(action, page, name), seat))
        page.context.close()
    with capsys.disabled():
        print(f"\nmedian of {len(milliseconds)} clicks in flop-holdem: {median(milliseconds):.0f} ms")


@pytest.mark.skipif(SCREENSHOTS is None, reason="`ERRAI_SCREENSHOTS=DIR` draws the pictures of the guide")
def test_the_pictures_of_the_guide_are_drawn(browser: Browser) -> None:
    assert SCREENSHOTS is not None
    views: dict[str, tuple[str, ViewportSize, Theme]] = {
        "explore": ("?strategy=flop-holdem&betting=rc/&board=Ks8s3d&hand=0:K5s", DESKTOP, "light"),
        "value-dark": ("?strategy=flop-holdem&betting=rc/&board=Ks8s3d&colour=value", DESKTOP, "dark"),
        "difference": ("?strategy=flop-holdem&betting=rc/r&board=Ks8s3d&colour=r-c", DESKTOP, "light"),
        "next-card": ("?strategy=turn&betting=rc/cc/cc/", DESKTOP, "light"),
        "next-card-equity": ("?strategy=turn&betting=rc/cc/cc/&colour=equity", DESKTOP, "dark"),
        "no-limit": ("?strategy=nolimit-turn", DESKTOP, "light"),
        "report": ("?strategy=flop-holdem&betting=rc/&view=report", DESKTOP, "light"),
        "solve": ("?view=solve", DESKTOP, "light"),
        "play": ("?view=play&strategy=nolimit-turn", DESKTOP, "light"),
        "phone": ("?strategy=turn&betting=rc/cc/c", PHONE, "light"),
    }
    IMAGES.mkdir(exist_ok=True)
    with serving([Path(SCREENSHOTS)]) as url:
        for name, (view, size, theme) in views.items():
            context = browser.new_context(viewport=size, color_scheme=theme)
            page = context.new_page()
            page.goto(url + view)
            page.wait_for_selector("main > *")
            page.wait_for_timeout(3000)
            if name == "report":  # it says how many flops it has so far, until it is done
                expect(page.locator("main")).not_to_contain_text("so far", timeout=1_800_000)
            if name == "solve":
                page.locator(".solve-status .primary").click()
                page.locator(".solve-status h2", has_text="Done").wait_for()
            if name == "play":
                page.locator(".action").first.click()
                page.locator(".advice").first.wait_for()
            page.screenshot(path=IMAGES / f"explorer-{name}.png")
            context.close()
