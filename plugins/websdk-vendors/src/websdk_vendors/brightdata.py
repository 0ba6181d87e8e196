"""Bright Data SERP: a search page of Google, fetched and parsed over there.

The request names the page's address inside its body; the answer is the parsed page, or a record of the fetch with the
parsed page as a text inside. Facts: the package brightdata-sdk 2.5.2 (serp/, web_unlocker/) and a captured request.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

import attrs

from websdk import (
    Adjustment,
    ConfigurationError,
    Exchange,
    FilterKey,
    FilterOutcome,
    HttpRequest,
    HttpResponse,
    MalformedAnswer,
    ProviderError,
    ProviderRejected,
    RateLimited,
    SearchAnswer,
    SearchRequest,
    SearchResult,
    Secret,
    Unavailable,
    classify_status,
    json_request,
)
from websdk_vendors import google

PROVIDER = "brightdata-serp"
BASE_URL = "https://api.brightdata.com"


@attrs.frozen(kw_only=True)
class Bearer:
    """Writes the key into the ``Authorization`` header."""

    def sign(self, request: HttpRequest, secret: Secret, now: datetime) -> HttpRequest:
        """Return *request* with the key."""
        return request.with_headers([("Authorization", f"Bearer {secret.reveal()}")])


def origin(url: str) -> str:
    """Return scheme, host and port of *url*."""
    split = urlsplit(url)
    return f"{split.scheme}://{split.netloc}"


@attrs.frozen(kw_only=True)
class BrightDataCodec:
    """What to send to Bright Data and how to read it.

    Attributes:
        zone: The zone of the account that pays and parses; ``None`` where none is configured.
        base_url: Where the interface stands.
    """

    zone: str | None
    base_url: str = BASE_URL
    id: str = PROVIDER
    filter_keys: frozenset[FilterKey] = frozenset(FilterKey) - {FilterKey.TOPIC}

    def explain(
        self, request: SearchRequest, *, today: date
    ) -> tuple[tuple[FilterOutcome, ...], tuple[Adjustment, ...]]:
        """Return one outcome for each asked filter, and the count where it was clamped."""
        outcomes = tuple(part.outcome(key) for key, part in google.parts(request, today=today).items())
        if request.max_results <= google.MAX_RESULTS:
            return outcomes, ()
        most = google.MAX_RESULTS
        reason = f"a page of Google has at most {most} results"
        return outcomes, (Adjustment(what="max_results", asked=request.max_results, sent=most, reason=reason),)

    def exchange(self, request: SearchRequest, *, today: date) -> Exchange:
        """Ask once.

        Raises:
            ConfigurationError: No zone is configured.
            ProviderError: The page did not come, or came unparsed.
        """
        if not self.zone:
            raise ConfigurationError(
                f"{PROVIDER} needs the name of a zone: set zone under [connections.{PROVIDER}.settings]"
            )
        page = google.address(request, google.parts(request, today=today), brd_json="1")
        body = {"zone": self.zone, "url": page, "format": "json", "method": "GET"}
        answer = _parsed(_object((yield json_request("POST", f"{self.base_url}/request", body))))
        # A page without results has no list, but it is a page: it says what was searched.
        organic = answer.get("organic", [] if "general" in answer else None)
        if not isinstance(organic, list):
            raise _malformed("without a list of results")
        return SearchAnswer(results=tuple(_results(organic)))

    def classify(self, response: HttpResponse, *, now: datetime) -> ProviderError | None:
        """Return what the status of Bright Data's own reply means; the page's own status stands inside."""
        return classify_status(response, provider=PROVIDER, now=now)


def _object(reply: HttpResponse | None) -> dict[str, Any]:
    try:
        answer = json.loads(reply.body) if reply is not None else None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise _malformed("that is no JSON object")
    return answer


def _parsed(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the parsed page: the answer itself, or the text inside the record of its fetch."""
    if "status_code" not in answer:
        return answer
    error = _failure(answer["status_code"])
    if error is not None:
        raise error
    body = answer.get("body")
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            raise _malformed("with a page that is not parsed; the zone must be one for search pages") from None
    if not isinstance(body, dict):
        raise _malformed("without a page")
    return body


def _failure(status: Any) -> ProviderError | None:
    """Return what the status of the page's own fetch means. It says nothing about the key, whatever it is."""
    if type(status) is not int:
        return _malformed("whose status is no number")
    if status == 429:
        return RateLimited(f"{PROVIDER} was held back by the search engine", provider=PROVIDER, status=status)
    if status >= 500:
        return Unavailable(f"{PROVIDER} could not fetch the search page", provider=PROVIDER, status=status)
    if status >= 400:
        return ProviderRejected(f"{PROVIDER} was refused the search page", provider=PROVIDER, status=status)
    return None


def _malformed(what: str) -> MalformedAnswer:
    return MalformedAnswer(f"{PROVIDER} gave an answer {what}", provider=PROVIDER)


def _results(rows: list[Any]) -> Iterator[SearchResult]:
    for row in rows:
        if isinstance(row, Mapping):
            url = _text(row, "link") or _text(row, "url")
            if url:
                yield SearchResult(url=url, title=_text(row, "title"), snippet=_text(row, "description"))


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""
