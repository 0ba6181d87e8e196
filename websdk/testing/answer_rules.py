"""What a preset declares about answers, held against replies made in that shape. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from websdk.declarative.answers import ErrorRule
from websdk.declarative.paths import look, text_of
from websdk.declarative.words import Meaning
from websdk.errors import FetchError, MalformedAnswer, ProviderError, RateLimited, Unavailable, WebSdkError
from websdk.model import SearchAnswer
from websdk.testing.replies import ROWS, error_response, field_path, json_response, put, row_of, search_body
from websdk.testing.report import Finding
from websdk.testing.search_rules import PresetDesk
from websdk.wire import HttpResponse

ODD_VALUES: tuple[Any, ...] = (None, False, 7, 10**400, "", [], {}, [None], {"x": [1]})
HOSTILE = "x](https://evil.test) [y `code` *star* <img src=x> R&D at 3 < 4 &amp; more"
MARKED_UP, PLAIN = "A &amp; B <strong>x</strong> the &lt;b&gt; AT&amp;amp;T 3 < 4", "A & B x the <b> AT&amp;T 3 < 4"
ECHO = "monthly plan used up for key canary-4711"
FAILING = {
    401: "CredentialRejected",
    403: "CredentialRejected",
    429: "RateLimited",
    500: "Unavailable",
    503: "Unavailable",
}
MEANT: dict[Meaning, tuple[str, ...]] = {
    Meaning.RATE_LIMITED: ("RateLimited",),
    Meaning.UNAVAILABLE: ("Unavailable",),
    Meaning.CREDENTIAL: ("CredentialRejected",),
    Meaning.REJECTED: ("ProviderRejected",),
    Meaning.NOT_FOUND: ("NotFound",),
    Meaning.ASK_AGAIN: ("AskAgain",),
    Meaning.UNREADABLE: ("Unreadable",),
}


def good(desk: PresetDesk, rows: Sequence[dict[str, Any]] = ROWS, *, topic: str | None = None) -> Any:
    """Return a good answer with *rows*."""
    sent = [row_of(desk.search, desk.settings, row) for row in rows]
    return search_body(desk.preset, desk.settings, sent, topic=topic)


def read(desk: PresetDesk, body: Any, **fields: Any) -> SearchAnswer | str:
    """Return what is read in a good reply, or the name of the failure."""
    try:
        return desk.answer(json_response(body), **fields)
    except WebSdkError as error:
        return type(error).__name__


def results_read(desk: PresetDesk) -> Iterator[Finding]:
    """Read an answer in the declared shape."""
    found = read(desk, good(desk))
    if isinstance(found, str):
        yield Finding(path="search.errors", message=f"an answer in the declared shape is taken for {found}")
        return
    if len(found.results) != len(ROWS):
        yield Finding(path="search.results", message=f"{len(ROWS)} rows were sent and {len(found.results)} read")
        return
    for sent, result in zip(ROWS, found.results, strict=True):
        row = row_of(desk.search, desk.settings, sent)
        for name in ("title", "snippet", "content", "url"):
            path = field_path(desk.search, desk.settings, name)
            stands = text_of(look(row, path)) if path is not None else ""
            if stands and (getattr(result, name) or "") != stands:
                yield Finding(path=f"search.results.{name}", message="is sent in the declared place and not read")
        for name in ("published", "score"):
            if field_path(desk.search, desk.settings, name) is not None and getattr(result, name) is None:
                yield Finding(path=f"search.results.{name}", message="is sent in the declared place and not read")
    yield from _rows_kept(desk)


def _rows_kept(desk: PresetDesk) -> Iterator[Finding]:
    """Send rows that differ a little, and twice the same: all are handed on, in their order."""
    if field_path(desk.search, desk.settings, "url") is None:
        return
    urls = [f"https://a.example/x{tail}" for tail in ("?b=1&c=2", "?c=2&b=1", "", "/", "#one", "#two", "")]
    found = read(desk, good(desk, [{**ROWS[0], "url": url} for url in urls]))
    if isinstance(found, str) or [row.url for row in found.results] != urls:
        yield Finding(path="search.results.url", message="rows with near addresses do not all arrive in their order")


def odd_fields(desk: PresetDesk) -> Iterator[Finding]:
    """Null, leave out, add and disfigure every field of a row, one after the other."""
    body = good(desk)
    row = row_of(desk.search, desk.settings, ROWS[0])
    needed = {path.split(".")[0].split("[")[0] for path in desk.search.results.where}
    url = field_path(desk.search, desk.settings, "url") or desk.search.results.key or ""
    needed.add(url.split(".")[0].split("[")[0])
    for name in row:
        if name in needed:
            continue
        for value in (*ODD_VALUES, ...):
            odd = {key: item for key, item in row.items() if key != name} if value is ... else {**row, name: value}
            found = read(desk, search_body(desk.preset, desk.settings, [odd, row]))
            if isinstance(found, str) or len(found.results) != 2:
                what = "missing" if value is ... else "null" if value is None else "odd"
                yield Finding(path="search.results", message=f"a row whose {name} is {what} is lost")
                break
    extra = read(desk, {**body, "x_new": {"a": [1, None]}} if isinstance(body, dict) else body)
    if isinstance(extra, str) or len(extra.results) != len(ROWS):
        yield Finding(path="search.results", message="a field that the vendor adds loses the answer")


def text_is_text(desk: PresetDesk) -> Iterator[Finding]:
    """Send hostile text and markup in every text field."""
    for name in desk.search.results.html:
        if getattr(desk.search.results, name) is None:
            yield Finding(path="search.results.html", message=f"names {name}, which is not declared")
    for name in ("title", "snippet", "content"):
        path = field_path(desk.search, desk.settings, name)
        if path is None:
            continue
        is_html = name in desk.search.results.html
        sent, wanted = (MARKED_UP, PLAIN) if is_html else (HOSTILE, HOSTILE)
        row = row_of(desk.search, desk.settings, {**ROWS[0], "title": "", "snippet": "", "content": "", name: sent})
        if sent not in _leaf_texts(row):
            continue  # another field claims the place
        found = read(desk, search_body(desk.preset, desk.settings, [row]))
        if isinstance(found, str) or not found.results or getattr(found.results[0], name) != wanted:
            what = "is not decoded once" if is_html else "is altered, and is not declared as HTML"
            yield Finding(path=f"search.results.{name}", message=what)


def _leaf_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _leaf_texts(item)


def empty_is_empty(desk: PresetDesk) -> Iterator[Finding]:
    """Read an answer without rows, and one without its list."""
    found = read(desk, good(desk, ()))
    if isinstance(found, str) or found.results:
        yield Finding(path="search.results.at", message=f"an answer without rows is {_called(found)}")
    bare = read(desk, {"x_nothing": 1})
    if not desk.search.results.optional and not isinstance(bare, str):
        yield Finding(path="search.results.at", message="an answer without the list counts as an empty one")


def error_in_success(desk: PresetDesk) -> Iterator[Finding]:
    """Put an error into a good status, with a text that must not come back."""
    for body in ({"error": {"code": "quota", "message": ECHO}}, {"errors": [{"message": ECHO}]}):
        try:
            desk.answer(json_response(body))
        except WebSdkError as error:
            if "canary" in f"{error} {error!r} {error.__cause__!r}":
                yield Finding(path="search.errors", message="the text of a vendor's error is in the message")
        else:
            yield Finding(path="search.results.optional", message="an error inside a good status is an empty success")


def reply_read(desk: PresetDesk) -> Iterator[Finding]:
    """Put something at each path of `reply`, and look whether it is read."""
    reply = desk.search.reply
    probes: list[tuple[str, str | None, Any, Callable[[SearchAnswer], Any]]] = [
        ("answer", _first(reply.answer), "Two tables.", lambda answer: answer.answer),
        ("more", reply.more, True, lambda answer: answer.more),
        ("left", reply.left, 12, lambda answer: answer.usage and answer.usage.left),
        ("notices", _first(reply.notices), "a word was ignored", lambda answer: answer.notices),
        *(
            (f"usage.{unit}", path, 3, lambda answer: answer.usage and answer.usage.amount)
            for unit, path in reply.usage.items()
        ),
    ]
    for name, path, value, seen in probes:
        if path is None:
            continue
        found = _with(desk, path, value)
        if isinstance(found, str):
            yield Finding(path=f"search.reply.{name}", message=f"an answer that holds it is taken for {found}")
        elif not seen(found):
            yield Finding(path=f"search.reply.{name}", message="is sent in the declared place and not read")
    yield from _incomplete(desk)


def _with(desk: PresetDesk, path: str, value: Any) -> SearchAnswer | str:
    """Return what is read in a good answer that holds *value* at *path*."""
    body = good(desk)
    headers: tuple[tuple[str, str], ...] = ()
    if path.startswith("header:"):
        headers = ((path[7:], str(value)),)
    else:
        body = put(body, path, value)
    try:
        return desk.answer(json_response(body, headers=headers))
    except WebSdkError as error:
        return type(error).__name__


def _incomplete(desk: PresetDesk) -> Iterator[Finding]:
    for path in desk.search.reply.incomplete or ():
        names = [["alpha", "timeout"], ["beta", "access denied"]]
        full = read(desk, put(good(desk), path, names))
        if isinstance(full, str) or not full.incomplete or not full.notices:
            yield Finding(path="search.reply.incomplete", message="sources that failed are not told beside results")
        empty = read(desk, put(good(desk, ()), path, names))
        if isinstance(empty, SearchAnswer) and not empty.incomplete:
            yield Finding(path="search.reply.incomplete", message="sources that failed are told as no results")


def _first(paths: tuple[str, ...] | None) -> str | None:
    return paths[0] if paths else None


def _called(found: SearchAnswer | str) -> str:
    return f"taken for {found}" if isinstance(found, str) else "read as if it had some"


# -- what replies mean, for both halves -------------------------------------------------------------------------------

Classified = Callable[[HttpResponse], ProviderError | FetchError | None]


def failures_are_failures(rules: Sequence[ErrorRule], classify: Classified, *, half: str) -> Iterator[Finding]:
    """Classify the statuses by which every service says that it failed."""
    bodies: list[HttpResponse] = [json_response({}), HttpResponse(status=200, body=b"<html>busy</html>")]
    for status, usual in FAILING.items():
        for body in bodies:
            error = classify(HttpResponse(status=status, headers=body.headers, body=body.body))
            named = {MEANT[rule.means][0] for rule in rules if status in rule.status and rule.means in MEANT}
            if error is None:
                yield Finding(path=f"{half}.errors", message=f"status {status} is taken for an answer")
            elif type(error).__name__ not in {usual, *named}:
                yield Finding(path=f"{half}.errors", message=f"status {status} is taken for {type(error).__name__}")


def error_rules_fit(rules: Sequence[ErrorRule], classify: Classified, *, half: str) -> Iterator[Finding]:
    """Make a reply for each rule, and look whether it gets the rule's meaning."""
    for number, rule in enumerate(rules):
        path = f"{half}.errors[{number}]"
        reply = error_response(rule)
        error = classify(reply)
        if rule.means in (Meaning.OK, Meaning.EMPTY):
            # A reply that is nothing but the mark may still lack its list; any other failure is another rule's.
            if error is not None and not isinstance(error, MalformedAnswer):
                yield Finding(path=path, message=f"means {rule.means}, and its reply is taken for {_name(error)}")
        elif _name(error) not in MEANT[rule.means]:
            yield Finding(path=path, message=f"means {rule.means}, and its reply is taken for {_name(error)}")


def wait_is_read(classify: Classified, *, half: str) -> Iterator[Finding]:
    """Look for the wait that a vendor asks for."""
    error = classify(HttpResponse(status=429, headers=(("Retry-After", "20"),), body=b"{}"))
    if isinstance(error, (RateLimited, Unavailable)) and error.wait_s != 20:
        yield Finding(path=f"{half}.reply.wait", message="a wait that the vendor names is not read")


def _name(error: Exception | None) -> str:
    return "an answer" if error is None else type(error).__name__
