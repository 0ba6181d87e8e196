"""Running code of ours inside a page, in a world that the page's own scripts cannot reach."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

WORLD = "websdk"
# A walk of this many elements takes some milliseconds; beyond them a change still shows in the count.
_MEASURED = 20_000

MEASURE = f"""
(() => {{
  let elements = 0, letters = 0;
  const roots = [document];
  while (roots.length) {{
    const all = roots.pop().querySelectorAll("*");
    elements += all.length;
    for (let i = 0; i < all.length && i < {_MEASURED}; i++) {{
      if (all[i].shadowRoot) roots.push(all[i].shadowRoot);
      for (let child = all[i].firstChild; child; child = child.nextSibling)
        if (child.nodeType === 3) letters += child.data.length;
    }}
  }}
  return [document.readyState, elements, letters].join(" ");
}})()
"""
SCROLL = """
(() => {
  const page = document.scrollingElement;
  if (!page) return false;
  const before = page.scrollTop;
  page.scrollTo({top: before + Math.floor(innerHeight * 0.9), behavior: "instant"});
  return page.scrollTop > before;
})()
"""
TO_TOP = 'document.scrollingElement?.scrollTo({top: 0, left: 0, behavior: "instant"})'
# Runs before any script of the page. Closed shadow trees are shown like open ones, so they are opened for the capture;
# windows of its own would show nothing to anybody. A page may undo this and gains nothing: what it keeps closed is not
# read, and a window that opens all the same is closed.
PREPARE = """
(() => {
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) {
    return attach.call(this, {...init, mode: "open"});
  };
  window.open = () => null;
})()
"""


class NoPage(Exception):
    """The page went away while code was to run in it."""


async def run(session: CDPSession, expression: str, *, timeout_s: float) -> Any:
    """Return the value of *expression* in the page's main frame.

    Args:
        session: A session with the page, or with a frame that has one of its own.
        expression: JavaScript that yields plain data.
        timeout_s: Seconds after which the browser stops the code itself.

    Raises:
        NoPage: The page navigated or closed meanwhile, or the code was stopped.
    """
    from playwright.async_api import Error

    try:
        tree = await session.send("Page.getFrameTree")
        world = await session.send(
            "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": WORLD}
        )
        answer = await session.send(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": world["executionContextId"],
                "returnByValue": True,
                "timeout": max(1, int(timeout_s * 1000)),
            },
        )
    except Error as exc:
        raise NoPage from exc
    if "exceptionDetails" in answer:
        raise NoPage
    return answer["result"].get("value")


def capture_call(*, max_bytes: int, frame_share: float) -> str:
    """Return the expression that writes the page as markup of at most *max_bytes*."""
    limits = {
        "bytes": max_bytes,
        "nodes": 200_000,  # as many as the reader takes
        "depth": 240,  # below this the reader's parser drops elements
        "attribute": 2_048,  # longer values are data, not words about the element
        "frameShare": frame_share,
    }
    code = files("websdk_render").joinpath("capture.js").read_text(encoding="utf-8")
    return f"({code})({json.dumps(limits)})"
