#!/usr/bin/python3
"""A window of WebKitGTK for WebDriver that keeps what pages store, as a phone does: MiniBrowser forgets it while it is driven.

`webkit_browser.py DIRECTORY`: where it is kept. Runs under Debian's Python, whose `gi` no other has.
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

directory = sys.argv[1]
kept = WebKit2.WebsiteDataManager(base_data_directory=directory, base_cache_directory=directory)
context = WebKit2.WebContext.new_with_website_data_manager(kept)
context.get_cookie_manager().set_persistent_storage(f"{directory}/cookies", WebKit2.CookiePersistentStorage.SQLITE)


def open_window(_session: WebKit2.AutomationSession) -> WebKit2.WebView:
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    window = Gtk.Window()
    window.add(view)
    window.show_all()
    return view


def start(_context: WebKit2.WebContext, session: WebKit2.AutomationSession) -> None:
    name = WebKit2.ApplicationInfo.new()
    name.set_name("MiniBrowser")  # what Selenium asks for
    session.set_application_info(name)
    session.connect("create-web-view", open_window)


context.connect("automation-started", start)
context.set_automation_allowed(True)
Gtk.main()
