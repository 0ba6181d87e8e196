"""Frames of other origins are found by their elements, and cost the page nothing when they are stuck."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = [pytest.mark.xdist_group("chromium")]
PAGE = "http://site.example/"
PROSE = "The lighthouse stands at the end of the long pier and is lit at dusk."
LARGE = "width=1200 height=900"


def test_a_frame_is_read_wherever_redirects_and_scripts_took_it(web: Any) -> None:
    web.pages["other.example/moved"] = (301, {"Location": "/doc/"}, b"")
    web.pages["other.example/doc/"] = "<p>The moved frame has words of its own.</p>"
    web.pages["third.example/set"] = "<p>The frame that a script set has words too.</p>"
    web.pages["site.example/"] = (
        f"<title>Site</title><p>{PROSE}</p><iframe src=http://other.example/moved {LARGE}></iframe><h2>Middle</h2>"
        f"<iframe id=f {LARGE}></iframe><p>Below the frames.</p>"
        "<script>f.contentWindow.location = 'http://third.example/set'</script>"
    )
    text = web.read(PAGE).markdown
    places = [text.index(part) for part in (PROSE, "The moved frame", "Middle", "that a script set", "Below")]

    assert sorted(places) == places


def test_a_frame_within_a_frame_is_read_in_its_place(web: Any) -> None:
    web.pages["other.example/outer"] = (
        f"<p>Outer words before.</p><iframe src=http://third.example/a {LARGE}></iframe><p>Outer words after.</p>"
    )
    web.pages["third.example/a"] = "<p>Inner words of the frame.</p>"
    web.pages["site.example/"] = f"<p>{PROSE}</p><iframe src=http://other.example/outer {LARGE}></iframe><p>End.</p>"
    text = web.read(PAGE).markdown
    places = [text.index(part) for part in (PROSE, "words before", "Inner words", "words after", "End.")]

    assert sorted(places) == places


def test_a_stuck_frame_costs_itself_alone_and_is_named(web: Any) -> None:
    web.pages["other.example/spin"] = "<p>Round.</p><script>setTimeout(() => { for (;;); }, 300)</script>"
    web.pages["third.example/"] = "<p>The frame after it answers as ever.</p>"
    web.pages["site.example/"] = (
        f"<title>Site</title><p>{PROSE}</p><iframe src=http://other.example/spin {LARGE}></iframe>"
        f"<iframe src=http://third.example/ {LARGE}></iframe>"
    )
    document = web.read(PAGE, deadline_s=25.0)

    assert PROSE in document.markdown
    assert "answers as ever" in document.markdown
    assert any("frame of the page did not answer" in notice for notice in document.notices)


def test_marks_of_the_page_do_not_misplace_a_frame(web: Any) -> None:
    web.pages["other.example/"] = "<p>Words within the frame that people see.</p>"
    web.pages["site.example/"] = (
        '<title>Site</title><div style=\'display:none\'><div data-frame="0"></div></div><div data-frame="0"></div>'
        f"<p>{PROSE}</p><iframe src=http://other.example/ {LARGE}></iframe>"
    )
    text = web.read(PAGE).markdown

    assert text.index(PROSE) < text.index("Words within the frame")
