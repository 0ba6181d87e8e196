"""What ``websdk doctor`` says of page reads: the rungs that serve, what is wrong with them, what they disclose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websdk.errors import WebSdkError
from websdk.model.document import Via

if TYPE_CHECKING:
    from websdk.client.parts import Parts


def serving(parts: Parts) -> list[str]:
    """Return the rungs that a call can name without naming a reader too."""
    options = parts.settings.fetch
    if not options.enabled:
        return []
    there = {
        Via.LOCAL: True,
        Via.PROXY: parts.reads(options.proxy) and _reader_fault(parts, options.proxy) is None,
        Via.RENDER: options.render and Via.RENDER in parts.rungs,
    }
    return [str(via) for via in Via if there[via]]


def faults(parts: Parts) -> list[str]:
    """Return what settings ask for and cannot be had."""
    options = parts.settings.fetch
    found = []
    for setting, names in (("fetch.proxy", (options.proxy,)), ("fetch.chain", options.chain)):
        for name in filter(None, names):
            fault = _reader_fault(parts, name)
            if fault is not None:
                found.append(f"{setting}: {fault}")
    if options.render and Via.RENDER not in parts.rungs:
        found.append("fetch.render is on, and no browser rung is installed: pip install websdk-render")
    return found


def _reader_fault(parts: Parts, name: str) -> str | None:
    from websdk.client.catalog import describe_readers

    if not parts.reads(name):
        from difflib import get_close_matches

        known = parts.reader_ids()
        near = get_close_matches(name, known, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known)}"
        return f"there is no reader called {name}; {hint}"
    try:
        info = next(item for item in describe_readers(parts) if item.id == name)
    except WebSdkError as error:
        return str(error)
    if info.blocker is not None:
        return info.blocker.splitlines()[0]
    if info.credential == "missing":
        return f"{name} needs a credential: set {' or '.join(info.variables)}"
    return None


def disclosures(parts: Parts) -> list[str]:
    """Return who learns what by reads over the ``proxy`` rung."""
    options = parts.settings.fetch
    readers = [name for name in (options.proxy, *options.chain) if parts.reads(name)]
    said = [
        f"Choosing via=proxy tells {' and '.join(readers) or 'the reader that a call names'} every address that is "
        "read, query string included; its redirects are followed there and cannot be judged here."
    ]
    if options.docs_index_discovery:
        said.append(
            "The index probe still asks the origin of every page for /llms.txt from this machine, on every rung; "
            "fetch.docs_index_discovery = false switches it off."
        )
    else:
        said.append("The index probe is switched off: over via=proxy no origin hears from this machine.")
    return said
