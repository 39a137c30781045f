"""WebKitGTK over WebDriver: a browser for each device, on a display that nobody sees."""

import contextlib
import os
import pathlib
import subprocess
import tempfile

from selenium import webdriver
from selenium.common import exceptions
from selenium.webdriver.webkitgtk.service import Service

from device import PHONE, WITH_US, ZONE, NotNow, until
from webapp import IS_PICTURED

BROWSER = pathlib.Path(__file__).with_name("webkit_browser.py")
COMING_AND_GOING = (
    exceptions.NoSuchElementException,
    exceptions.StaleElementReferenceException,
    exceptions.ElementNotInteractableException,
    exceptions.ElementClickInterceptedException,
    exceptions.MoveTargetOutOfBoundsException,
)

# Its driver tells nothing of the console: from the first look at a page on, the page tells.
LISTEN = """() => {
    if (window.complaints) return;
    window.complaints = [];
    for (const kind of ["error", "warn"]) {
        const write = console[kind];
        console[kind] = (...words) => {
            complaints.push(words.join(" "));
            write.apply(console, words);
        };
    }
    addEventListener("error", ({ message }) => complaints.push(message));
    addEventListener("unhandledrejection", ({ reason }) => complaints.push(String(reason)));
}"""


class WebKit:
    name = "webkit"

    def __init__(self, place: pathlib.Path):
        self.downloads = place / "downloads"
        self.downloads.mkdir(parents=True)
        (place / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{self.downloads}"\n')
        reading, writing = os.pipe()
        command = [*WITH_US, "Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1400x24", "-nolisten", "tcp"]
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        self.display = subprocess.Popen(command, pass_fds=[writing], **quiet)
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb does not start"
        self.environment = {
            **os.environ, "DISPLAY": f":{number}", "HOME": str(place), "XDG_CONFIG_HOME": str(place), "TZ": ZONE,
            "LC_ALL": "C.UTF-8", "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1",
            # Layers are drawn by the processor here, which takes a quarter of the tests' time: for pictures alone.
            **({} if IS_PICTURED else {"WEBKIT_DISABLE_COMPOSITING_MODE": "1"}),
        }  # fmt: skip
        self.made: list[Page] = []
        self.idle: list[Page] = []

    def page(self) -> "Page":
        """One that a device is done with serves the next, whose line is another origin: a start takes a second."""
        if not self.idle:
            self.made.append(Page(self))
            self.idle.append(self.made[-1])
        page = self.idle.pop()
        page.heard = []
        page.resize(*PHONE)
        return page

    def close(self) -> None:
        for page in self.made:
            page.driver.quit()
        self.display.terminate()
        self.display.wait()


class Page:
    def __init__(self, webkit: WebKit):
        self.webkit = webkit
        self.kept = tempfile.mkdtemp(dir=webkit.environment["HOME"])
        self.start()

    def start(self) -> None:
        options = webdriver.WebKitGTKOptions()
        options.binary_location = str(BROWSER)
        options.add_argument(self.kept)
        options.accept_insecure_certs = True
        service = Service("/usr/bin/WebKitWebDriver", env=self.webkit.environment)
        self.driver = webdriver.WebKitGTK(options=options, service=service)
        self.driver.set_script_timeout(60)
        self.driver.set_page_load_timeout(60)

    def reopen(self) -> None:
        """All of the browser ends, as an app does that a phone has no room for."""
        self.driver.quit()
        self.start()
        self.resize(*self.size)

    def open(self, address: str) -> None:
        self.complaints()
        self.driver.get(address)

    def run(self, function: str, *arguments):
        with coming_and_going():
            return self.driver.execute_script(f"({LISTEN})(); return ({function})(...arguments)", *arguments)

    def click(self, element) -> None:
        with coming_and_going():
            element.click()

    def type(self, element, text: str) -> None:
        with coming_and_going():
            element.send_keys(text)

    def attach(self, element, paths: list[pathlib.Path]) -> None:
        element.send_keys("\n".join(str(path) for path in paths))

    def resize(self, width: int, height: int) -> None:
        """The page's size: what the window has around it is added."""
        self.size = (width, height)
        around = [0, 0]

        def has_size() -> bool:
            self.driver.set_window_rect(0, 0, width + around[0], height + around[1])
            has = self.run("() => [innerWidth, innerHeight]")
            # A window that is new may say what it was.
            around[:] = [max(0, around[0] + width - has[0]), max(0, around[1] + height - has[1])]
            return has == [width, height]

        until(has_size, f"the page does not become {width} by {height}")

    def screenshot(self, path: pathlib.Path) -> None:
        self.driver.get_screenshot_as_file(str(path))

    @property
    def downloads(self) -> pathlib.Path:
        return self.webkit.downloads

    def complaints(self) -> list[str]:
        self.heard += self.run("() => complaints.splice(0)")
        return self.heard

    def close(self) -> None:
        self.driver.delete_all_cookies()
        self.open("about:blank")
        self.webkit.idle.append(self)


@contextlib.contextmanager
def coming_and_going():
    try:
        yield
    except COMING_AND_GOING as error:
        raise NotNow(str(error)) from error
