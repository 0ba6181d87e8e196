"""Running code of ours inside a page, in a world that the page's own scripts cannot reach."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

WORLD = "websdk"
NOTED = "websdkFrames"  # where a capture notes the elements of frames, in our own world
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


async def main_frame(session: CDPSession) -> str:
    """Return the id of the frame that *session* is with."""
    tree = await session.send("Page.getFrameTree")
    return str(tree["frameTree"]["frame"]["id"])


async def run(session: CDPSession, expression: str, *, timeout_s: float, frame_id: str | None = None) -> Any:
    """Return the value of *expression* in a frame.

    Args:
        session: A session with the page, or with a frame that has one of its own.
        expression: JavaScript that yields plain data.
        timeout_s: Seconds after which the browser stops the code itself.
        frame_id: A frame of the session; by default its main one.

    Raises:
        NoPage: The page navigated or closed meanwhile, or the code was stopped.
    """
    from playwright.async_api import Error

    try:
        result = await _evaluated(session, expression, timeout_s=timeout_s, frame_id=frame_id, by_value=True)
    except Error as exc:
        raise NoPage from exc
    return result.get("value")


async def frame_within(session: CDPSession, number: int, *, frame_id: str | None) -> str | None:
    """Return the id of the frame that shows in the element that the last capture noted as *number*.

    The element itself is asked: addresses change by redirects and scripts, and several frames may show one.
    """
    from playwright.async_api import Error

    try:
        element = await _evaluated(session, f"{NOTED}[{number}]", timeout_s=1.0, frame_id=frame_id, by_value=False)
        node = await session.send("DOM.describeNode", {"objectId": element["objectId"]})
    except (Error, NoPage, KeyError):
        return None
    found = node["node"].get("frameId")
    return None if found is None else str(found)


async def _evaluated(
    session: CDPSession, expression: str, *, timeout_s: float, frame_id: str | None, by_value: bool
) -> dict[str, Any]:
    frame = frame_id or await main_frame(session)
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD})
    answer = await session.send(
        "Runtime.evaluate",
        {
            "expression": expression,
            "contextId": world["executionContextId"],
            "returnByValue": by_value,
            "timeout": max(1, int(timeout_s * 1000)),
        },
    )
    if "exceptionDetails" in answer:
        raise NoPage
    result: dict[str, Any] = answer["result"]
    return result


def capture_call(*, max_bytes: int, frame_share: float, mark: str) -> str:
    """Return the expression that writes the page as markup of at most *max_bytes*.

    Args:
        max_bytes: Ceiling for the markup.
        frame_share: Share of the screen from which a frame of another origin belongs to the page.
        mark: Attribute by which the places of such frames are found again; no page can guess it.
    """
    limits = {
        "bytes": max_bytes,
        "nodes": 200_000,  # as many as the reader takes
        "depth": 240,  # below this the reader's parser drops elements
        "attribute": 2_048,  # longer values are data, not words about the element
        "frameShare": frame_share,
        "mark": mark,
        "noted": NOTED,
    }
    code = files("websdk_render").joinpath("capture.js").read_text(encoding="utf-8")
    return f"({code})({json.dumps(limits)})"
