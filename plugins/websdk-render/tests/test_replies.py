"""What a reply to the page itself means, before a browser makes anything of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from websdk import AskAgain, FetchError, NotFound, Redirected, TooLarge, Unreadable

pytestmark = [pytest.mark.xdist_group("chromium")]
HOST = "site.example"
PROSE = "The lighthouse stands at the end of the long pier and is lit at dusk."
HTML = f"<title>Site</title><p>{PROSE}</p>"
NOTHING = {"Content-Length": "0"}


def read_all(web: Any, names: list[str], *, via: str = "render", **options: Any) -> dict[str, Any]:
    """Read pages in turn over one client; a failure stands for itself."""

    async def main() -> dict[str, Any]:
        found: dict[str, Any] = {}
        async with web.serving(), web.client(**options) as client:
            for name in names:
                try:
                    found[name] = await client.fetch(f"http://{HOST}/{name}", via=via)
                except FetchError as error:
                    found[name] = error
        return found

    return asyncio.run(main())


def said(found: Any) -> tuple[Any, ...]:
    wait_s, seen = getattr(found, "wait_s", None), getattr(found, "seen", None)
    return (type(found), getattr(found, "status", None), wait_s, seen)


def test_a_status_without_a_page_means_what_it_means_on_every_rung(web: Any) -> None:
    replies = {
        "404": (404, NOTHING, b""),
        "410": (410, NOTHING, b""),
        "403": (403, NOTHING, b""),
        "501": (501, NOTHING, b""),
        "429": (429, {**NOTHING, "Retry-After": "4"}, b""),
        "500": (500, {**NOTHING, "Retry-After": "7200"}, b""),
        "401": (401, {"WWW-Authenticate": "Basic realm=x"}, HTML.encode()),
        "404-pdf": (404, {"Content-Type": "application/pdf"}, b"%PDF-1.4"),
        "503-zip": (503, {"Content-Type": "application/zip", "Retry-After": "3"}, b"PK\x03\x04"),
        "500-json": (500, {"Content-Type": "application/json"}, b"{}"),
        "200": (200, NOTHING, b""),
        "204": (204, {}, b""),
        "300": (300, {}, HTML.encode()),
        "gzip": (200, {"Content-Encoding": "gzip"}, b"not gzip at all"),
    }
    web.pages.update({f"{HOST}/{name}": reply for name, reply in replies.items()})
    expected = {
        "404": (NotFound, 404, None, None),
        "410": (NotFound, 410, None, None),
        "403": (Unreadable, None, None, "status_403"),
        "501": (Unreadable, None, None, "status_501"),
        "429": (AskAgain, 429, 4.0, None),
        "500": (AskAgain, 500, 15.0, None),
        "401": (Unreadable, None, None, "status_401"),
        "404-pdf": (NotFound, 404, None, None),
        "503-zip": (AskAgain, 503, 3.0, None),
        "500-json": (AskAgain, 500, None, None),
        "200": (Unreadable, None, None, "empty"),
        "204": (Unreadable, None, None, "empty"),
        "300": (Redirected, 300, None, None),
        "gzip": (Unreadable, None, None, "content_coding"),
    }
    rendered = {name: said(found) for name, found in read_all(web, list(replies)).items()}
    local = {name: said(found) for name, found in read_all(web, list(replies), via="local").items()}

    assert expected == rendered
    assert local == rendered


def test_a_page_that_leads_to_nothing_later_is_not_there(web: Any) -> None:
    web.pages[f"{HOST}/gone"] = (404, NOTHING, b"")
    web.pages[f"{HOST}/"] = f"{HTML}<script>setTimeout(() => {{ location.href = '/gone' }}, 100)</script>"

    assert (NotFound, 404, None, None) == said(read_all(web, [""])[""])


def test_a_challenge_that_lets_the_browser_through_is_read(web: Any) -> None:
    web.pages[f"{HOST}/next"] = HTML
    web.pages[f"{HOST}/"] = (503, {}, b"<p>Wait.</p><script>setTimeout(() => location.replace('/next'), 100)</script>")

    assert PROSE in read_all(web, [""])[""].markdown


def test_a_page_that_is_asked_for_again_from_memory_is_read(web: Any) -> None:
    def page(target: str, body: str) -> Any:
        if "if-none-match" in web.heads[-1].lower():
            return 304, {"ETag": '"a"', "Content-Length": "0"}, b""
        script = "<script>if (!location.hash) { location.hash = 'again'; location.reload() }</script>"
        return 200, {"ETag": '"a"', "Cache-Control": "no-cache"}, (HTML + script).encode()

    web.pages[f"{HOST}/"] = page

    assert PROSE in read_all(web, [""])[""].markdown


TEXTS = {
    "plain": ("text/plain; charset=iso-8859-1", f"# Pier\n\nGrüße. {PROSE}\n\n<b>tag</b>".encode("latin-1")),
    "markdown": ("text/markdown", f"# Pier\n\n{PROSE}\n\n* one\n* two".encode()),
    "json": ("application/json", f'{{"a": [1, 2], "text": "{PROSE}"}}'.encode()),
    "rss": (
        "application/rss+xml",
        b'<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><link>http://site.example/</link>'
        b"<item><title>One</title><link>http://site.example/1</link><description>Words about one.</description>"
        b"</item></channel></rss>",
    ),
    "xml": (
        "text/xml",
        b'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><entry><title>Two</title>'
        b'<link href="http://site.example/2"/><summary>Words about two.</summary></entry></feed>',
    ),
}


def test_what_is_no_markup_reads_as_it_does_without_a_browser(web: Any) -> None:
    web.pages.update({f"{HOST}/{name}": (200, {"Content-Type": kind}, body) for name, (kind, body) in TEXTS.items()})
    rendered, local = read_all(web, list(TEXTS)), read_all(web, list(TEXTS), via="local")

    assert [True] * len(TEXTS) == [hasattr(rendered[name], "markdown") for name in TEXTS]
    for name in TEXTS:
        assert (local[name].markdown, local[name].strategy, local[name].served_url) == (
            rendered[name].markdown,
            rendered[name].strategy,
            rendered[name].served_url,
        )


def test_text_that_breaks_off_is_never_taken_for_whole(web: Any) -> None:
    web.pages[f"{HOST}/"] = (200, {"Content-Type": "text/plain", "Content-Length": "90000"}, PROSE.encode())
    found = read_all(web, [""])[""]

    # The browser may drop what came before the break; then there is nothing, and asking again is the answer.
    assert isinstance(found, AskAgain) or found.incomplete


def test_a_page_that_breaks_off_says_so(web: Any) -> None:
    web.pages[f"{HOST}/"] = (200, {"Content-Length": "90000"}, HTML.encode())
    document = read_all(web, [""])[""]

    assert PROSE in document.markdown
    assert document.incomplete
    assert any("its end is missing" in notice for notice in document.notices)


def test_a_page_that_waits_for_a_script_for_good_is_not_whole(web: Any) -> None:
    async def never(target: str, body: str) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    web.pages[f"{HOST}/never"] = never
    web.pages[f"{HOST}/"] = f"{HTML}<script src=/never></script><p>Behind the script.</p>"
    document = read_all(web, [""], deadline_s=14.0)[""]

    assert PROSE in document.markdown
    assert document.incomplete
    assert any("waited for a script" in notice for notice in document.notices)


def test_what_comes_after_a_long_pause_is_waited_for(web: Any) -> None:
    async def slow(target: str, body: str) -> str:
        await asyncio.sleep(7.5)  # longer than a reply counts as being on its way
        return "1"

    web.pages[f"{HOST}/slow"] = slow
    web.pages[f"{HOST}/"] = f"{HTML}<script src=/slow></script><p>Behind the script.</p>"
    document = read_all(web, [""])[""]

    assert "Behind the script." in document.markdown
    assert not document.incomplete


def test_a_document_that_a_script_leaves_open_is_at_rest(web: Any) -> None:
    web.pages[f"{HOST}/"] = (
        f"<p>Old.</p><script>onload = () => document.write('<title>New</title><p>{PROSE}</p>')</script>"
    )
    document = read_all(web, [""])[""]

    assert PROSE in document.markdown
    assert (False, ()) == (document.incomplete, document.notices)


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_the_ceiling_of_a_page_holds_here_too(web: Any, kind: str) -> None:
    web.pages[f"{HOST}/"] = (200, {"Content-Type": kind}, (HTML * 2_000).encode())
    found = read_all(web, [""], max_response_bytes=10_000)[""]

    assert (TooLarge, 10_000) == (type(found), getattr(found, "limit_bytes", None))
